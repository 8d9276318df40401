// Replies by a provider that fails at random, while the single process is killed: each charge must match the provider's ledger.
import { costOf, nanoPerMillion } from '../../libs/money/dist/index.js';
import { Evidence } from '../evidence.mjs';
import { MockProvider } from '../mock-provider.mjs';
import { random } from '../random.mjs';
import { fail, pass } from '../suite.mjs';
import { Trial } from '../trial.mjs';

const price = { from: '2026-01-01T00:00:00Z', input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };
const modelsOf = (base_url) => ({
  providers: { mock: { type: 'openai_compatible', base_url, api_key: 'none' } },
  models: [{ id: 'mock', provider: 'mock', model: 'mock', prices: [price], context_window: 100_000 }],
  defaults: { chat: 'mock' },
});
const chosen = { talk: 10, goOn: 10, create: 1 };

/** Kills the process at least `count` times, and until the provider was called `calls` times. */
export async function charges({ root, seed, count, calls, keep }) {
  const provider = new MockProvider(random(seed, 'provider'));
  const models = JSON.stringify(modelsOf(await provider.start()));
  const trial = await Trial.open(root, seed, 'charges', { PARLANCE_MODELS: models });
  trial.chosen = chosen;
  let found = await trial.start();
  let round = 0;
  while (found.length === 0 && (round < count || provider.calls.size < calls)) {
    round++;
    await trial.killWithin(round, 300, 3_000);
    found = [...(await trial.start()), ...(await trial.look())];
  }
  if (found.length === 0) found = await trial.comeToRest();
  const { problems, figures } = compared(trial, provider.calls);
  if (problems.length > 0)
    found.push({ name: 'I4 charges are those of the provider', count: problems.length, problems: problems.slice(0, 10) });
  await trial.end({ keep: keep || found.length > 0 });
  await provider.stop();
  const name = `charges of a provider with faults, ${round} kills`;
  if (found.length === 0) pass(name, figures);
  else fail(name, found, `in round ${round}; ${figures}; all of it is in ${trial.directory}`);
}

/** Compares the log of inference with the ledger of the provider. */
function compared({ product }, calls) {
  const evidence = new Evidence(product.data);
  const problems = [];
  const charged = new Map();
  const figures = { completed: 0, estimated: 0, failed: 0, partial: 0 };
  try {
    for (const { event } of evidence.events('inference')) {
      if (event.type === 'ReplyFailed') figures.failed++;
      if (event.type === 'TokensCharged') {
        figures.partial++;
        if (!event.usage.estimated)
          problems.push(`the broken reply ${event.chargeId} was charged as if the provider had reported its tokens`);
      }
      if (event.type !== 'ReplyCompleted') continue;
      figures.completed++;
      const id = event.provenance?.requestId;
      const call = calls.get(id);
      if (!call) problems.push(`reply ${event.replyId} was charged for the call ${id}, which the provider does not know`);
      else if (charged.has(id)) problems.push(`the call ${id} was charged twice: ${charged.get(id)} and ${event.replyId}`);
      else if (call.way === 'silent')
        figures.estimated += event.usage.estimated ? 1 : problems.push(`${id} was silent and is not estimated`);
      else problems.push(...differences(event, id, call));
      charged.set(id, event.replyId);
    }
  } finally {
    evidence.close();
  }
  const extra = [...calls].filter(([id, { way, isWritten }]) => way === 'whole' && isWritten && !charged.has(id)).length;
  const { completed, estimated, failed, partial } = figures;
  return {
    problems,
    figures: `${calls.size} calls, ${completed} replies charged as the ledger says (${estimated} of them estimated), ${failed} failed, ${partial} of these charged for what they had; ${extra} whole calls were lost with a killed worker and are nobody's charge`,
  };
}

function differences({ replyId, usage, costNanoDollars }, id, { usage: reported }) {
  const cached = reported.prompt_tokens_details.cached_tokens;
  const cost =
    costOf(reported.prompt_tokens - cached, nanoPerMillion(price.input)) +
    costOf(cached, nanoPerMillion(price.cache_read)) +
    costOf(reported.completion_tokens, nanoPerMillion(price.output));
  const [says, is] = [
    [usage.inputTokens, usage.outputTokens, usage.cacheReadTokens, costNanoDollars],
    [reported.prompt_tokens, reported.completion_tokens, cached, cost],
  ].map((figures) => JSON.stringify(figures));
  return says === is ? [] : [`reply ${replyId} was charged ${says} for the call ${id}, which by the ledger is ${is}`];
}
