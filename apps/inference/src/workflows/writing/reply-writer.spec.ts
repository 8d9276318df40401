import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import { Instant, refuse } from '@parlance/decider';
import { Shredded, type Vault } from '@parlance/privacy';
import type { Clock } from '@parlance/foundation';
import { type Logger, RequestContext } from '@parlance/observability';
import type { Config } from '@parlance/config';
import type { Catalogue } from '../../adapters/catalogue.ts';
import { BLOCKED_TEXT, Guardrail } from '../../adapters/guardrail.ts';
import {
  type Chunk,
  DEFAULT_PARAMETERS,
  type Knowledge,
  type Produced,
  type Prompt,
  type Routed,
  type Turn,
  type Usage,
} from '@parlance/chat-models';
import { waitFor } from '@parlance/testing';
import type { ExecuteConversation } from '../../commands/aggregates.ts';
import { QuestionOf } from '../../projections/owed-replies.ts';
import type { BotKnowledge } from '../../adapters/bot-knowledge.ts';
import type { FromBot } from '../../adapters/from-bot.ts';
import type { ConversationCommand } from '../../domain/conversation-commands.ts';
import { LONGEST_REPLY_BYTES } from './generation.ts';
import { LiveReplies, type StopCause } from '../live-replies.ts';
import type { PromptFilesOf } from '../files/prompt-files.ts';
import { type Question, REASONING_TOKENS, ReplyPrompt } from './reply-prompt.ts';
import type { ChargesBesideModel } from './charges-beside-model.ts';
import { ReplyGuard } from './reply-guard.ts';
import type { ToolRounds } from '../tools/tool-rounds.ts';
import { ReplyWriter } from './reply-writer.ts';

const NO_FILES = { load: async () => ({ byId: new Map(), release: () => undefined }) } as unknown as PromptFilesOf;
const reply = { userId: 'ann', conversationId: 'c', replyId: 'r', claim: 'one', leaseUntil: Instant.ofMillis(10_000) };
const question: Question = {
  userId: 'ann',
  botId: null,
  model: 'm',
  parentId: 'p',
  text: 'why',
  continues: '',
  wantsReasoning: false,
  eventId: 'e',
};
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };

const CONTEXT_WINDOW = 1_000;

/** Of bots without tools. */
const withoutTools = {
  restore: async () => undefined,
  offered: async () => new Map(),
  isOpen: () => false,
  promptOf: (prompt: Prompt) => prompt,
} as unknown as ToolRounds;

interface Parts {
  readonly generate?: (prompt: Prompt) => Promise<{ text: string; usage: typeof usage }>;
  /** The whole of what the model does. */
  readonly produce?: (signal: AbortSignal) => AsyncIterable<Routed>;
  /** The provider has no turn for the call. */
  readonly isQueued?: boolean;
  readonly search?: (...asked: string[]) => Promise<FromBot>;
  readonly command?: () => Promise<void>;
  readonly open?: (text: string) => Promise<string | null>;
  readonly seal?: (text: string) => Promise<string>;
  /** What the rows hold of the question. */
  readonly asked?: object | null;
  readonly files?: Pick<PromptFilesOf, 'load'>;
}

function writing({
  generate,
  produce,
  isQueued = false,
  search,
  command,
  open = async (text) => `open ${text}`,
  seal = async (text) => text,
  asked = null,
  files = NO_FILES,
}: Parts = {}) {
  const told = {
    commands: [] as string[],
    ends: [] as ConversationCommand[],
    searches: [] as string[][],
    prompt: {} as Prompt,
    turns: [] as readonly Turn[],
    contexts: [] as unknown[],
    errors: 0,
    calls: 0,
  };
  const vault = {
    open,
    seal: async (_: unknown, text: string) => seal(text),
    sealJson: async (_: unknown, value: object) => JSON.stringify(value),
  };
  const queries = {
    execute: async (query: object) => (query instanceof QuestionOf ? asked : [{ role: 'user', content: 'before' }]),
  } as unknown as QueryBus;
  const bots = {
    search: async (...searched: string[]) => {
      told.searches.push(searched);
      return search!();
    },
  } as unknown as BotKnowledge;
  const live = new LiveReplies();
  const writer = new ReplyWriter(
    {
      execute: async ({ command: ended }: InstanceType<typeof ExecuteConversation>) => {
        told.commands.push(ended.type);
        told.ends.push(ended);
        const { caller, causationId } = RequestContext.current()!;
        told.contexts.push([caller?.userId, caller?.groups, causationId]);
        await command?.();
      },
    } as unknown as CommandBus,
    queries,
    vault as unknown as Vault,
    new ReplyPrompt(queries, vault as unknown as Vault, bots, files as PromptFilesOf),
    new ReplyGuard(new Guardrail({ models: null } as Config)),
    withoutTools,
    {
      answering: () => ({
        generate: async function* (prompt: Prompt, signal: AbortSignal, onCall: () => void): AsyncGenerator<Routed> {
          told.turns = prompt.turns;
          told.prompt = prompt;
          told.calls++;
          if (isQueued) await hangs();
          onCall();
          if (produce) return yield* produce(signal);
          const answer = generate ? await generate(prompt) : { text: 'because', usage };
          yield { type: 'text', text: answer.text };
          yield { type: 'end', stopReason: 'end_turn', usage: answer.usage, requestId: null };
        },
      }),
      windowOf: () => ({ contextWindow: CONTEXT_WINDOW, maxOutputTokens: null }),
      cost: (_: string, { outputTokens }: Usage) => outputTokens * 10,
      priced: async (_: string, { outputTokens }: Usage) => ({ cost: outputTokens * 10, from: null }),
    } as unknown as Catalogue,
    live,
    { now: () => Instant.ofMillis(0) } as Clock,
    { of: async () => [] } as unknown as ChargesBesideModel,
    { warn: () => undefined, error: () => void told.errors++ } as unknown as Logger,
  );
  return { writer, told, live };
}

const GUARDED_CHUNK: Chunk = {
  content: 'A refund takes fourteen days.',
  content_type: 'text',
  source: 'refunds.pdf',
  source_name: 'refunds.pdf',
  source_id: 's1',
  page_number: 2,
  heading: null,
  rank: 1,
  score: 0.5,
};
const away = () => Promise.reject(Object.assign(new Error('the database is away'), { name: 'MongoNetworkError' }));

describe('writing a reply', () => {
  it('gives the model the earlier turns and the question', async () => {
    const { writer, told } = writing();
    await writer.write(reply, question);
    expect([told.commands, told.turns]).toEqual([
      ['CompleteReply'],
      [
        { role: 'user', text: 'open before' },
        { role: 'user', text: 'why' },
      ],
    ]);
  });
  it('is on record as caused by the user and the message, without their rights', async () => {
    const { writer, told } = writing();
    const caller = { userId: 'ann', groups: ['Admin'], sessionId: 's', kind: 'user' } as const;
    await RequestContext.run({ ...RequestContext.background(), caller }, () => writer.write(reply, question));
    expect(told.contexts).toEqual([['ann', [], 'e']]);
  });
  it('reads the question of a reply that is taken over', async () => {
    const { writer, told } = writing({
      asked: { userId: 'ann', botId: null, model: 'm', parentId: null, content: 'sealed', continues: null },
    });
    await writer.write(reply);
    expect(told.turns.at(-1)).toEqual({ role: 'user', text: 'open sealed' });
  });
  it('does nothing when the question is gone', async () => {
    const { writer, told } = writing();
    await writer.write(reply);
    expect([told.commands, told.errors]).toEqual([[], 0]);
  });
  it('fails a reply whose question cannot be opened any more', async () => {
    const { writer, told } = writing({
      asked: { userId: 'ann', botId: null, model: 'm', parentId: null, content: 'x', continues: null },
      open: async () => null,
    });
    await writer.write(reply);
    expect(told.commands).toEqual(['FailReply']);
  });
  it('leaves it to be taken over when a database is away', async () => {
    const { writer, told } = writing({ open: away });
    await writer.write(reply, question);
    expect([told.commands, told.errors]).toEqual([[], 1]);
  });
  it('ends it as failed when the model fails', async () => {
    const { writer, told } = writing({ generate: () => Promise.reject(new TypeError('a mistake')) });
    await writer.write(reply, question);
    expect([told.commands, told.errors]).toEqual([['FailReply'], 0]);
  });
  it.each([
    ['req_011CS-a.b:c', 'req_011CS-a.b:c'],
    ['why the sky is blue', undefined],
    ['x'.repeat(201), undefined],
  ])('keeps of %j as the ID of the call: %j', async (requestId, kept) => {
    const end = { type: 'end', stopReason: 'end_turn', usage, requestId } as const;
    const { writer, told } = writing({ produce: parts({ type: 'text', text: 'so' }, end)() });
    await writer.write(reply, question);
    expect((told.ends[0] as { provenance?: { requestId?: string } }).provenance!.requestId).toBe(kept);
  });
  it('says nothing more when another worker has the reply', async () => {
    const { writer, told } = writing({ command: () => Promise.reject(refuse('conflict', 'claim_lost', 'It is over.')) });
    await writer.write(reply, question);
    expect([told.commands, told.errors]).toEqual([['CompleteReply'], 0]);
  });
  const chat = { chargeId: 'r', purpose: 'chat', model: 'm', usage, costNanoDollars: 10 };
  it('is charged when its conversation was deleted before it could be stored', async () => {
    const { writer, told } = writing({ command: () => Promise.reject(refuse('conflict', 'reply_is_over', 'It is over.')) });
    await writer.write(reply, question);
    expect([told.commands, told.errors]).toEqual([['CompleteReply', 'ChargeErasedReply'], 0]);
    expect(told.ends.at(-1)).toEqual({ type: 'ChargeErasedReply', replyId: 'r', claim: 'one', charges: [chat] });
  });
  it('is charged when the key of its conversation is destroyed', async () => {
    const { writer, told } = writing({ seal: () => Promise.reject(new Shredded('conversation:c')) });
    await writer.write(reply, question);
    expect([told.ends, told.errors]).toEqual([[{ type: 'ChargeErasedReply', replyId: 'r', claim: 'one', charges: [chat] }], 0]);
  });
});

/** Produces these parts, then goes on as told. */
const parts =
  (...all: readonly Routed[]) =>
  (then: (signal: AbortSignal) => Promise<void> = async () => undefined) =>
    async function* (signal: AbortSignal): AsyncGenerator<Routed> {
      yield* all;
      await then(signal);
    };
const text = (its: string): Produced => ({ type: 'text', text: its });
const reasoning = (its: string): Produced => ({ type: 'reasoning', text: its });
const hangs = () => new Promise<never>(() => undefined);
const obeys = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('writing a reply that comes in parts', () => {
  const begun = async (of: Parts) => {
    const all = writing(of);
    const written = all.writer.write(reply, question);
    await waitFor(() => all.live.of('r')?.text.toString() === 'So it', { what: 'the first parts' });
    return { ...all, written, stop: (because: StopCause) => all.live.of('r')!.stop(because) };
  };
  const soIt = parts(reasoning('Hm.'), text('So'), text(' it'));

  it('shows them as they come, and nothing when it is stored', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { live, written, told } = await begun({ produce: soIt(() => promise) });
    const its = live.of('r')!;
    expect([its.reasoning.toString(), its.hasEnded, told.commands]).toEqual(['Hm.', false, []]);
    resolve();
    await written;
    expect([live.of('r'), its.hasEnded]).toEqual([undefined, true]);
  });
  it('stores the reasoning apart from the text', async () => {
    const end: Produced = { type: 'end', stopReason: 'stop_sequence', usage, requestId: null };
    const { writer, told } = writing({ produce: parts(reasoning('H'), reasoning('m.'), text('So'), end)() });
    await writer.write(reply, question);
    expect(told.ends).toMatchObject([
      { type: 'CompleteReply', content: 'So', reasoning: 'Hm.', stopReason: 'stop_sequence', usage, costNanoDollars: 10 },
    ]);
  });
  it.each([
    ['obeys its signal', obeys],
    ['ignores its signal', hangs],
  ])('stores what there is when its user stops it, and counts its tokens, if the model %s', async (_, then) => {
    const { told, written, stop } = await begun({ produce: soIt(then) });
    stop('cancelled');
    await written;
    // Two messages, each with the tokens of its frame.
    const counted = { inputTokens: 13, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true };
    expect(told.ends).toMatchObject([
      { type: 'CompleteReply', content: 'So it', reasoning: 'Hm.', stopReason: 'cancelled', usage: counted, costNanoDollars: 40 },
    ]);
  });
  it('is charged only for what fits into the window of the model, when it is stopped', async () => {
    const { writer, told, live } = writing({ produce: soIt(obeys) });
    const written = writer.write(reply, { ...question, text: 'why '.repeat(10_000) });
    await waitFor(() => live.of('r')?.text.toString() === 'So it', { what: 'the first parts' });
    live.of('r')!.stop('cancelled');
    await written;
    const [{ usage: counted }] = told.ends as [Extract<ConversationCommand, { type: 'CompleteReply' }>];
    expect(counted).toMatchObject({ estimated: true });
    expect(counted.inputTokens).toBeLessThan(CONTEXT_WINDOW);
  });
  it('adds nothing that comes after it was stopped', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = async function* () {
      yield* soIt(() => promise)(new AbortController().signal);
      yield text(' is');
    };
    const { live, written, stop } = await begun({ produce: late });
    const its = live.of('r')!;
    stop('cancelled');
    await written;
    resolve();
    await new Promise(setImmediate);
    expect(its.text.toString()).toBe('So it');
  });
  it('says nothing more when the process ends', async () => {
    const { told, written, stop } = await begun({ produce: soIt(obeys) });
    stop('process_ends');
    await written;
    expect([told.commands, told.errors]).toEqual([[], 0]);
  });
  it.each(['reply_is_over', 'claim_lost'])('is charged as far as it came when it is lost, if the log allows it (%s)', async (code) => {
    const command = () => Promise.reject(refuse('conflict', code, 'It is over.'));
    const { told, written, stop } = await begun({ produce: soIt(obeys), command });
    stop('lost');
    await written;
    expect([told.ends, told.errors]).toMatchObject([
      [{ type: 'ChargeErasedReply', charges: [{ chargeId: 'r', usage: { estimated: true } }] }],
      0,
    ]);
  });
  it('fails when it takes too long, and is charged for what there is', async () => {
    const { told, written, stop } = await begun({ produce: soIt(obeys) });
    stop('out_of_time');
    await written;
    expect(told.ends).toMatchObject([{ type: 'FailReply', code: 'reply_timeout', partial: { content: 'So it', costNanoDollars: 40 } }]);
  });
  it('ends like one that reached the limit of its provider when it becomes too long', async () => {
    const signals: AbortSignal[] = [];
    const endless = async function* (signal: AbortSignal) {
      signals.push(signal);
      for (;;) yield text('x'.repeat(1_000_000));
    };
    const { writer, told } = writing({ produce: endless });
    await writer.write(reply, question);
    expect(told.ends).toMatchObject([{ type: 'CompleteReply', stopReason: 'max_tokens', content: 'x'.repeat(LONGEST_REPLY_BYTES) }]);
    expect(signals[0]!.aborted).toBe(true);
  });

  const failing = (error: Error) => async () => Promise.reject(error);
  it('fails when the stream breaks, and keeps and charges what there is', async () => {
    const { writer, told } = writing({ produce: soIt(failing(new Error('ECONNRESET 10.0.0.1'))) });
    await writer.write(reply, question);
    expect(told.ends).toMatchObject([
      {
        type: 'FailReply',
        code: 'generation_failed',
        reason: 'The model gave no answer.',
        partial: { content: 'So it', usage: { outputTokens: 4, estimated: true }, costNanoDollars: 40 },
      },
    ]);
  });
  it('is charged as the provider says, also when it fails', async () => {
    const error = Object.assign(new Error('The model is overloaded.'), { name: 'GenerationFailed', code: 'model_overloaded', usage });
    const { writer, told } = writing({ produce: soIt(failing(error)) });
    await writer.write(reply, question);
    expect(told.ends).toMatchObject([
      { code: 'model_overloaded', reason: 'The model is overloaded.', partial: { usage, costNanoDollars: 10 } },
    ]);
  });
  it('is charged nothing when the provider gave nothing', async () => {
    const { writer, told } = writing({ produce: parts()(failing(new Error('refused'))) });
    await writer.write(reply, question);
    expect(told.ends).toMatchObject([{ type: 'FailReply', partial: null }]);
  });
  it('fails when the model stops without an end', async () => {
    const { writer, told } = writing({ produce: soIt() });
    await writer.write(reply, question);
    expect(told.ends).toMatchObject([{ type: 'FailReply', code: 'generation_failed', partial: { content: 'So it' } }]);
  });
  it('is charged nothing when its user stops it before a provider was called', async () => {
    const { writer, told, live } = writing({ isQueued: true });
    const written = writer.write(reply, question);
    await waitFor(() => told.calls === 1, { what: 'the model to be asked' });
    live.of('r')!.stop('cancelled');
    await written;
    expect(told.ends).toMatchObject([{ stopReason: 'cancelled', usage: { inputTokens: 0, outputTokens: 0 }, costNanoDollars: 0 }]);
  });
  it('is charged nothing when its time is over before a provider was called', async () => {
    const { writer, told, live } = writing({ isQueued: true });
    const written = writer.write(reply, question);
    await waitFor(() => told.calls === 1, { what: 'the model to be asked' });
    live.of('r')!.stop('out_of_time');
    await written;
    expect(told.ends).toMatchObject([{ type: 'FailReply', code: 'reply_timeout', partial: null }]);
  });
  it('gives the memory of its files back when its user stops it while they are loaded', async () => {
    const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
    const seen = { loads: 0, releases: 0 };
    const files = {
      load: async () => {
        seen.loads++;
        await loaded;
        return { byId: new Map(), release: () => void seen.releases++ };
      },
    };
    const { writer, told, live } = writing({ files });
    const written = writer.write(reply, question);
    await waitFor(() => seen.loads === 1, { what: 'the files to be loaded' });
    live.of('r')!.stop('cancelled');
    await written;
    load();
    await waitFor(() => seen.releases === 1, { what: 'their memory to be given back' });
    expect(told.calls).toBe(0);
  });
  it('never asks the model for a reply that was stopped before', async () => {
    const { writer, told } = writing();
    await writer.write({ ...reply, isCancelled: true }, question);
    const free = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
    expect(told.ends).toMatchObject([{ type: 'CompleteReply', content: '', stopReason: 'cancelled', usage: free, costNanoDollars: 0 }]);
    expect(told.calls).toBe(0);
  });
});

describe('a reply that another model gives, or for which several calls were made', () => {
  const broken = { inputTokens: 7, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true };
  const begin = { type: 'begin', model: 'other', provider: 'p', providerModel: 'o-1', tries: 2 } as const;
  const charges = [{ model: 'm', usage: broken }];
  const end = { type: 'end', stopReason: 'end_turn', usage, requestId: null } as const;

  it('is charged as an answer of the model that gave it, and each earlier call as one of its own model', async () => {
    const { writer, told } = writing({ produce: parts({ ...begin, charges }, text('Yes.'), end)() });
    await writer.write(reply, question);
    expect(told.ends).toMatchObject([
      {
        type: 'CompleteReply',
        content: 'Yes.',
        fallback: 'other',
        usage,
        failedCalls: [{ chargeId: 'one-1', purpose: 'chat', model: 'm', usage: broken, costNanoDollars: 20 }],
      },
    ]);
  });
  it('is charged for each call when it fails', async () => {
    const failure = { name: 'GenerationFailed', code: 'stream_broken', usage, charges: [...charges, { model: 'other', usage }] };
    const error = Object.assign(new Error('The answer of the model broke off.'), failure);
    const { writer, told } = writing({ produce: parts({ ...begin, charges }, text('Ye'))(async () => Promise.reject(error)) });
    await writer.write(reply, question);
    expect(told.ends).toMatchObject([
      { type: 'FailReply', partial: { content: 'Ye', model: 'other', usage }, failedCalls: [{ model: 'm', usage: broken }] },
    ]);
  });
  it('is charged to the model that was called last when no model gave a token', async () => {
    const failure = { name: 'GenerationFailed', code: 'provider_timed_out', usage, charges: [...charges, { model: 'other', usage }] };
    const error = Object.assign(new Error('The model was silent for too long.'), failure);
    const { writer, told } = writing({ produce: parts()(async () => Promise.reject(error)) });
    await writer.write(reply, question);
    expect(told.ends).toMatchObject([
      { type: 'FailReply', partial: { content: '', model: 'other', usage }, failedCalls: [{ model: 'm', usage: broken }] },
    ]);
  });
  it('is charged for the earlier calls also when its time is over during the last one', async () => {
    const { writer, told, live } = writing({ produce: parts({ ...begin, charges }, text('Ye'))(hangs) });
    const written = writer.write(reply, question);
    await waitFor(() => live.of('r')?.text.toString() === 'Ye', { what: 'the first part' });
    live.of('r')!.stop('out_of_time');
    await written;
    expect(told.ends).toMatchObject([
      {
        type: 'FailReply',
        code: 'reply_timeout',
        partial: { content: 'Ye', model: 'other' },
        failedCalls: [{ model: 'm', usage: broken }],
      },
    ]);
  });
});

describe('continuing a reply', () => {
  it('gives the model the text so far, and stores it in front of the new one', async () => {
    const { writer, told } = writing();
    await writer.write(reply, { ...question, continues: 'So it is, ' });
    expect(told.turns.slice(-2)).toEqual([
      { role: 'user', text: 'why' },
      { role: 'assistant', text: 'So it is, ' },
    ]);
    expect(told.ends).toMatchObject([{ content: 'So it is, because', usage }]);
  });
  it('charges only the new text', async () => {
    const { writer, told } = writing({ produce: parts(text('be'))(async () => Promise.reject(new Error('broken'))) });
    await writer.write(reply, { ...question, continues: 'word '.repeat(1_000) });
    expect(told.ends).toMatchObject([{ partial: { usage: { outputTokens: 1 } } }]);
  });
  it('is not charged when it fails before its first word', async () => {
    const { writer, told } = writing({ produce: parts()(async () => Promise.reject(new Error('refused'))) });
    await writer.write(reply, { ...question, continues: 'So it is, ' });
    expect(told.ends).toMatchObject([{ partial: null }]);
  });
  it('leaves the text as it is when it is stopped before the model is asked', async () => {
    const { writer, told } = writing();
    await writer.write({ ...reply, isCancelled: true }, { ...question, continues: 'So it is, ' });
    expect(told.ends).toMatchObject([{ content: 'So it is, ', stopReason: 'cancelled' }]);
  });
  it('ends where the earlier text and the new one have the limit together', async () => {
    const earlier = 'x'.repeat(LONGEST_REPLY_BYTES - 2);
    const { writer, told } = writing({ produce: parts(text('abcd'))(obeys) });
    await writer.write(reply, { ...question, continues: earlier });
    expect(told.ends).toMatchObject([{ type: 'CompleteReply', stopReason: 'max_tokens', content: `${earlier}ab` }]);
  });
  it('fails for a text that has reached the limit, without asking the model', async () => {
    const { writer, told } = writing();
    await writer.write(reply, { ...question, continues: 'x'.repeat(LONGEST_REPLY_BYTES) });
    expect([told.calls, told.ends]).toMatchObject([0, [{ type: 'FailReply', code: 'reply_too_long', partial: null }]]);
  });
});

describe('a reply that is to be reasoned', () => {
  it('gives the model tokens to reason with', async () => {
    const { writer, told } = writing();
    await writer.write(reply, { ...question, wantsReasoning: true });
    expect(told.prompt.parameters.reasoningTokens).toBe(REASONING_TOKENS);
  });
  it('is not the usual one', async () => {
    const { writer, told } = writing();
    await writer.write(reply, question);
    expect(told.prompt.parameters.reasoningTokens).toBeNull();
  });
});

describe('writing a reply of a bot', () => {
  const ofBot: Question = { ...question, botId: 'b' };
  const chunk: Chunk = {
    content: 'Because.',
    content_type: 'text',
    source: 'why.pdf',
    source_name: 'why.pdf',
    source_id: 's1',
    page_number: 2,
    heading: null,
    rank: 1,
    score: 0.5,
  };
  const found = (showsSources: boolean, chunks: readonly Chunk[] = [chunk]): FromBot => {
    const knowledge: Knowledge = { chunks, showsSources };
    return { instruction: 'Be brief.', knowledge, parameters: DEFAULT_PARAMETERS, isCached: true, bot: null };
  };
  const reading = (its: string) => async () => ({ text: its, usage });

  it('searches for the question as its user, and gives the model what was found', async () => {
    const { writer, told } = writing({ search: async () => found(true) });
    await writer.write(reply, ofBot);
    expect(told.searches).toEqual([['b', 'ann', 'why']]);
    expect(told.prompt).toMatchObject({ instruction: 'Be brief.', knowledge: { chunks: [chunk] } });
  });
  it('uses the parameters of the bot, and its budget of reasoning only where the user wants reasoning', async () => {
    const parameters = { ...DEFAULT_PARAMETERS, maxTokens: 9, reasoningTokens: 4_000 };
    const search = async () => ({ ...found(true), parameters });
    const told = [];
    for (const wantsReasoning of [false, true]) {
      const written = writing({ search });
      await written.writer.write(reply, { ...ofBot, wantsReasoning });
      told.push(written.told.prompt);
    }
    expect(told).toMatchObject([
      { parameters: { maxTokens: 9, reasoningTokens: null }, isCached: true },
      { parameters: { maxTokens: 9, reasoningTokens: 4_000 } },
    ]);
  });
  it('searches also for a reply that is taken over', async () => {
    const asked = { userId: 'ann', botId: 'b', model: 'm', parentId: null, content: 'sealed', continues: null };
    const { writer, told } = writing({ asked, search: async () => found(true) });
    await writer.write(reply);
    expect(told.searches).toEqual([['b', 'ann', 'open sealed']]);
  });
  it('searches nothing without a bot', async () => {
    const { writer, told } = writing();
    await writer.write(reply, question);
    expect([told.searches, told.prompt.knowledge, told.ends]).toMatchObject([[], null, [{ usedChunks: null }]]);
  });
  it('stores the chunks, and keeps markers of these alone', async () => {
    const two = [chunk, { ...chunk, rank: 2 }];
    const { writer, told } = writing({ search: async () => found(true, two), generate: reading('So [^1], and [^2] not [^3].') });
    await writer.write(reply, ofBot);
    expect(told.ends).toMatchObject([
      { content: 'So [^1], and [^2] not.', usedChunks: { content: JSON.stringify(two), sourceIds: ['s1'] } },
    ]);
  });
  it('stores no chunk and no marker for a bot that does not show its sources', async () => {
    const { writer, told } = writing({ search: async () => found(false), generate: reading('So [^1].') });
    await writer.write(reply, ofBot);
    expect(told.ends).toMatchObject([{ content: 'So.', usedChunks: null }]);
  });
  it('stores no chunks when none was found', async () => {
    const { writer, told } = writing({ search: async () => found(true, []), generate: reading('No [^1].') });
    await writer.write(reply, ofBot);
    expect(told.ends).toMatchObject([{ content: 'No.', usedChunks: null }]);
  });
  it('leaves a text that was written without knowledge as it is', async () => {
    const { writer, told } = writing({ generate: reading('A footnote is [^1].') });
    await writer.write(reply, question);
    expect(told.ends).toMatchObject([{ content: 'A footnote is [^1].' }]);
  });
  it('fails with the code of the refusal when the bot is gone', async () => {
    const gone = () => Promise.reject(refuse('missing', 'bot_not_found', 'It is gone.'));
    const { writer, told } = writing({ search: gone });
    await writer.write(reply, ofBot);
    expect(told.ends).toMatchObject([{ type: 'FailReply', code: 'bot_not_found', reason: 'It is gone.' }]);
  });
  it('leaves it to be taken over when the bots service does not answer', async () => {
    const { writer, told } = writing({ search: () => Promise.reject(refuse('unavailable', 'service_unavailable', 'Away.')) });
    await writer.write(reply, ofBot);
    expect([told.commands, told.errors]).toEqual([[], 1]);
  });
});

describe('writing a reply of a bot with a guardrail', () => {
  const guardrail = { arn: null, version: '', groundingThreshold: 0.7, relevanceThreshold: 0, blockedText: 'Ask the desk.' };
  const search =
    (its: object = guardrail) =>
    async (): Promise<FromBot> => ({
      instruction: '',
      knowledge: { chunks: [{ ...GUARDED_CHUNK }], showsSources: true },
      parameters: DEFAULT_PARAMETERS,
      isCached: false,
      bot: {
        version: 3,
        chunkIds: ['c1'],
        guardrail: { ...guardrail, ...its },
        activeModels: [],
        embedding: null,
        tools: [],
        isOwner: false,
      },
    });
  const ofBot: Question = { ...question, botId: 'b' };
  const produced = (body: string) =>
    async function* (): AsyncGenerator<Routed> {
      yield { type: 'reasoning', text: 'Hm.' };
      for (const piece of body.split(/(?<= )/)) yield { type: 'text', text: piece };
      yield { type: 'end', stopReason: 'end_turn', usage, requestId: null };
    };
  const provenance = (verdict: string, grounding: number) => ({
    botVersion: 3,
    chunks: [{ id: 'c1', hash: expect.stringMatching(/^[\w-]{16}$/) }],
    guardrail: { by: 'builtin', verdict, grounding },
  });

  it('stores an answer that the chunks support as it is', async () => {
    const { writer, told } = writing({ search: search(), produce: produced('A refund takes fourteen days [^1].') });
    await writer.write(reply, ofBot);
    expect(told.ends).toMatchObject([
      { content: 'A refund takes fourteen days [^1].', reasoning: 'Hm.', blocked: null, provenance: provenance('passed', 1) },
    ]);
    expect(told.ends[0]).toHaveProperty('usedChunks.sourceIds', ['s1']);
  });
  it('replaces another answer, keeps it beside, and shows neither its reasoning nor the chunks', async () => {
    const { writer, told } = writing({ search: search(), produce: produced('Dinner is served in the garden.') });
    await writer.write(reply, ofBot);
    expect(told.ends).toMatchObject([
      {
        type: 'CompleteReply',
        content: 'Ask the desk.',
        reasoning: null,
        usedChunks: null,
        blocked: 'Dinner is served in the garden.',
        usage,
        provenance: provenance('blocked', 0),
      },
    ]);
  });
  it('has a text for bots that have none', async () => {
    const { writer, told } = writing({ search: search({ blockedText: '' }), produce: produced('Dinner is served.') });
    await writer.write(reply, ofBot);
    expect(told.ends).toMatchObject([{ content: BLOCKED_TEXT }]);
  });
  it('shows nothing before the check', async () => {
    const seen: string[] = [];
    const { writer, live } = writing({
      search: search(),
      produce: async function* () {
        yield { type: 'text', text: 'A refund takes ' };
        yield { type: 'reasoning', text: 'Hm.' };
        seen.push(live.of('r')!.text.toString(), live.of('r')!.reasoning.toString());
        yield { type: 'text', text: 'fourteen days.' };
        yield { type: 'end', stopReason: 'end_turn', usage, requestId: null };
      },
    });
    let shown = '';
    const { end } = live;
    live.end = (each) => {
      shown = each.text.toString();
      end.call(live, each);
    };
    await writer.write(reply, ofBot);
    expect([seen, shown]).toEqual([['', ''], 'A refund takes fourteen days.']);
  });
  it('stores nothing of an answer that was stopped before its check, and charges it', async () => {
    const { writer, told, live } = writing({
      search: search(),
      produce: async function* () {
        yield { type: 'text', text: 'Dinner is served.' };
        live.of('r')!.stop('cancelled');
        yield { type: 'text', text: 'More.' };
      },
    });
    await writer.write(reply, ofBot);
    expect(told.ends).toMatchObject([
      { type: 'CompleteReply', stopReason: 'cancelled', content: '', blocked: null, usage: { estimated: true } },
    ]);
  });
  it('checks an answer that becomes too long as far as it is stored', async () => {
    const endless = async function* (): AsyncGenerator<Routed> {
      for (;;) yield { type: 'text', text: 'x'.repeat(1_000_000) };
    };
    const { writer, told } = writing({ search: search(), produce: endless });
    await writer.write(reply, ofBot);
    const blocked = 'x'.repeat(LONGEST_REPLY_BYTES);
    expect(told.ends).toMatchObject([
      { type: 'CompleteReply', stopReason: 'max_tokens', content: 'Ask the desk.', blocked, usage: { estimated: true } },
    ]);
  });
  it('checks only what is added to a text that is continued', async () => {
    const continuing = { ...ofBot, continues: 'Checked before. ' };
    const { writer, told } = writing({ search: search(), produce: produced('Dinner is served.') });
    await writer.write(reply, continuing);
    expect(told.ends).toMatchObject([{ content: 'Checked before. Ask the desk.', blocked: 'Dinner is served.' }]);
  });
  it('fails without a verdict, shows nothing, and charges what was produced', async () => {
    const arn = 'arn:aws:bedrock:eu-west-1:123456789012:guardrail/abc';
    const { writer, told } = writing({ search: search({ arn }), produce: produced('A refund takes fourteen days.') });
    await writer.write(reply, ofBot);
    expect(told.ends).toMatchObject([
      {
        type: 'FailReply',
        code: 'guardrail_failed',
        reason: 'The guardrail of this bot gave no verdict, because no provider of the type bedrock is configured.',
        partial: { content: '', usage },
      },
    ]);
  });
});
