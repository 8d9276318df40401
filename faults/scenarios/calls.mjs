// Programs call a model through the gateway, with a provider that fails at random, while the single process is killed: each call of the provider is recorded
// once and charged what its ledger says. A call whose end is not known is charged once, by an estimate.
import { Agent } from 'node:http';
import { costOf, nanoPerMillion } from '../../libs/money/dist/index.js';
import { patience } from '../../libs/testing/dist/patience.js';
import { waitFor } from '../../libs/testing/dist/wait-for.js';
import { CallsProvider } from '../calls-provider.mjs';
import { Evidence } from '../evidence.mjs';
import { random } from '../random.mjs';
import { fail, pass } from '../suite.mjs';
import { Trial } from '../trial.mjs';

const AT_ONCE = 32;
const SHOWN = 10;
const price = { from: '2026-01-01T00:00:00Z', input: 3, output: 15, cache_read: 0.3 };
const modelsOf = (base_url) => ({
  providers: { mock: { type: 'openai_compatible', base_url, api_key: 'none' } },
  models: [{ id: 'mock', provider: 'mock', model: 'mock', prices: [price], context_window: 1_000_000 }],
  defaults: { chat: 'mock' },
});

/** Makes at least `calls` calls, and kills the process `count` times in between. */
export async function calls({ root, seed, count, calls: wanted, keep }) {
  const provider = new CallsProvider(random(seed, 'calls provider'));
  const trial = await Trial.open(root, seed, 'calls', { PARLANCE_MODELS: JSON.stringify(modelsOf(await provider.start())) });
  const answers = { whole: new Map(), none: 0, refused: 0, odd: [] };
  let found = await trial.start();
  if (found.length === 0) {
    const token = await tokenOf(trial.product);
    const seeds = numbers();
    for (let round = 1; round <= count && found.length === 0; round++) {
      const goal = provider.calls.size + (wanted / count) * (0.5 + trial.chanceOf(round).between(1, 100) / 100);
      const load = startCallers(trial, { token, seeds, round, answers });
      await Promise.race([provider.reached(round === count ? Math.max(goal, wanted) : goal), load]);
      if (!trial.product.isRunning) answers.odd.push(`in round ${round} the product ended before it was killed`);
      await trial.product.kill();
      await load;
      found = await trial.start();
    }
  }
  const { problems, figures } = found.length === 0 ? await settled(trial, provider.calls, answers) : { problems: [], figures: '' };
  if (problems.length > 0)
    found.push({ name: 'I4 charges are those of the provider', count: problems.length, problems: problems.slice(0, SHOWN) });
  await trial.end({ keep: keep || found.length > 0 });
  await provider.stop();
  const name = `calls of models with faults, ${count} kills`;
  if (found.length === 0) pass(name, figures);
  else fail(name, found, `${figures}; all of it is in ${trial.directory}`);
}

function* numbers() {
  for (let number = 1; ; number++) yield number;
}

async function tokenOf(product) {
  const { status, body } = await product.ask('POST', '/user/me/tokens', { description: 'Calls under kills', scopes: ['models'] });
  if (status !== 201) throw new Error(`a token was not created: ${status} ${JSON.stringify(body)}`);
  return body.token;
}

/** Ends when the process has ended. */
async function startCallers({ product, chanceOf }, { token, seeds, round, answers }) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const caller = async (number) => {
    const chance = chanceOf(round, 'caller', number);
    while (product.isRunning) {
      const { value: seed } = seeds.next();
      const stream = chance.chance(0.5);
      const body = { model: 'mock', seed, stream, max_tokens: 400, messages: [{ role: 'user', content: 'What was decided, and why?' }] };
      note(answers, seed, await product.ask('POST', '/v1/chat/completions', body, { token, agent }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, number) => caller(number)));
  agent.destroy();
}

function note(answers, seed, { status, headers, body }) {
  if (status === null) answers.none++;
  else if (status === 200 && (body?.choices || body?.text?.endsWith('data: [DONE]\n\n')))
    answers.whole.set(seed, headers['x-parlance-cost'] ?? null);
  else if (status === 200 || [400, 502, 503].includes(status)) answers.refused++;
  else answers.odd.push(`call ${seed} was answered with ${status} ${JSON.stringify(body)}`);
}

/** Waits until no call is open, and compares the log with the provider's ledger and with the answers. */
async function settled({ product }, ledger, answers) {
  let records;
  const isSettled = () => (records = recordsOf(product)).open.size === 0;
  const problems = await waitFor(isSettled, { timeout: patience(300_000), what: 'the end of all calls' }).then(
    () => [],
    (error) => [error.message],
  );
  const { ended, twice, byStatus, charged } = records;
  problems.push(...answers.odd, ...twice.map((id) => `the call ${id} was recorded twice`));
  for (const { callId, status, usage, costNanoDollars } of ended.values()) {
    if (status === 'refused' || status === 'failed') {
      if (costNanoDollars !== 0) problems.push(`the call ${callId} ${status}, and was charged ${costNanoDollars}`);
    } else if (usage.estimated) {
      if (!(costNanoDollars > 0)) problems.push(`the call ${callId}, ${status}, was charged nothing`);
    } else problems.push(...differences(usage, costNanoDollars, ledger.get(usage.inputTokens - 1_000)));
  }
  for (const [seed, { way, times }] of ledger) {
    if (times > 1) problems.push(`the provider was called ${times} times for call ${seed}`);
    const costs = charged.get(seed) ?? [];
    if (costs.length > 1) problems.push(`call ${seed} was charged ${costs.length} times`);
    if (way !== 'whole' || !answers.whole.has(seed)) continue;
    if (costs.length === 0) problems.push(`call ${seed} was answered, and not charged`);
    const said = answers.whole.get(seed);
    if (said !== null && Math.round(said * 1e9) !== costs[0]) problems.push(`the answer of call ${seed} said that it cost ${said}`);
  }
  if (ended.size < ledger.size) problems.push(`the provider got ${ledger.size} calls, but ${ended.size} are recorded`);
  const counts = Object.entries(byStatus).map(([status, count]) => `${count} ${status}`);
  return {
    problems,
    figures: `${ledger.size} calls of the provider, ${answers.whole.size} answered in whole, ${answers.none} without an answer; recorded ${counts.join(', ')}`,
  };
}

function recordsOf(product) {
  const evidence = new Evidence(product.data);
  const [open, ended, twice, byStatus, charged] = [new Set(), new Map(), [], {}, new Map()];
  try {
    for (const { event } of evidence.events('inference')) {
      if (event.type === 'CallsBegun') for (const { callId } of event.calls) open.add(callId);
      if (event.type !== 'CallCompleted') continue;
      if (ended.has(event.callId)) twice.push(event.callId);
      open.delete(event.callId);
      ended.set(event.callId, event);
      byStatus[event.status] = (byStatus[event.status] ?? 0) + 1;
      const seed = event.usage.inputTokens - 1_000;
      if (event.status === 'completed' && !event.usage.estimated) charged.set(seed, [...(charged.get(seed) ?? []), event.costNanoDollars]);
    }
  } finally {
    evidence.close();
  }
  return { open, ended, twice, byStatus, charged };
}

function differences(usage, costNanoDollars, call) {
  if (call?.way !== 'whole') return [`a call was charged for ${usage.inputTokens} tokens, which the provider did not report`];
  const { prompt_tokens, completion_tokens, prompt_tokens_details } = call.usage;
  const cached = prompt_tokens_details.cached_tokens;
  const cost =
    costOf(prompt_tokens - cached, nanoPerMillion(price.input)) +
    costOf(cached, nanoPerMillion(price.cache_read)) +
    costOf(completion_tokens, nanoPerMillion(price.output));
  const [says, is] = [
    [usage.inputTokens, usage.outputTokens, usage.cacheReadTokens, costNanoDollars],
    [prompt_tokens, completion_tokens, cached, cost],
  ].map((figures) => JSON.stringify(figures));
  return says === is ? [] : [`a call was charged ${says}, which by the ledger is ${is}`];
}
