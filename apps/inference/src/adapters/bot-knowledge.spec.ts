import { describe, expect, it, jest } from '@jest/globals';
import type { ServiceCalls } from '@parlance/calls';
import { refuse } from '@parlance/decider';
import type { Caller } from '@parlance/observability';
import { DEFAULT_PARAMETERS } from '@parlance/chat-models';
import { timersOf } from '@parlance/testing';
import { BotKnowledge, QUESTION_SEARCHED } from './bot-knowledge.ts';
import { CHUNK_BYTES, LONGEST_LABEL, MOST_CHUNKS } from './from-bot.ts';

const chunk = {
  id: 'c1',
  content: 'Because.',
  content_type: 'text',
  source: 'why.pdf',
  source_name: 'why.pdf',
  source_id: 's1',
  page_number: 2,
  heading: null,
  rank: 7,
  score: 0.5,
};
const answer = { display_retrieved_chunks: true, instruction: 'Be brief.', has_knowledge: true, chunks: [chunk], timings: {} };
const notFound = refuse('missing', 'bot_not_found', 'There is no such bot.');

interface Others {
  readonly retrieve?: (caller: Caller) => unknown;
  readonly me?: () => unknown;
}

/** Answers of fake bots and identity services. Errors are thrown. */
function knowing({ retrieve = () => answer, me = () => ({ groups: [], enabled: true }) }: Others = {}) {
  const calls: [path: string, caller: Caller][] = [];
  const bodies: { query: string }[] = [];
  const answered = async (made: unknown) => {
    if (made instanceof Error) throw made;
    return made;
  };
  const knowledge = new BotKnowledge({
    post: (service: string, path: string, body: { query: string }, { caller }: { caller: Caller }) => {
      calls.push([`${service}${path}`, caller]);
      bodies.push(body);
      return answered(retrieve(caller));
    },
    get: (service: string, path: string, { caller }: { caller: Caller }) => {
      calls.push([`${service}${path}`, caller]);
      return answered(me());
    },
  } as unknown as ServiceCalls);
  return { knowledge, calls, bodies, search: (question = 'why?') => knowledge.search('b', 'ann', question) };
}

const system = (groups: readonly string[]) => ({ userId: 'ann', groups, sessionId: null, kind: 'system' });

describe('a search in the knowledge of a bot', () => {
  it('is made for the user, without groups, in one call', async () => {
    const { search, calls, bodies } = knowing();
    const { id: _, ...rest } = chunk;
    expect(await search()).toEqual({
      instruction: 'Be brief.',
      knowledge: { showsSources: true, chunks: [{ ...rest, rank: 1 }] },
      // A replica of an older release answers like this.
      parameters: DEFAULT_PARAMETERS,
      isCached: false,
      bot: {
        version: null,
        chunkIds: ['c1'],
        guardrail: null,
        activeModels: [],
        tools: [],
        ownerId: null,
        configuredBy: null,
        memory: null,
        embedding: null,
        reranking: null,
      },
    });
    expect([calls, bodies]).toEqual([[['bots/internal/bots/b/retrieve', system([])]], [{ query: 'why?' }]]);
  });
  it('returns how the bot generates and checks its answers', async () => {
    const settings = {
      version: 7,
      generation_params: { max_tokens: 9, top_k: 1, top_p: 0.5, temperature: 0, stop_sequences: ['.'], reasoning_budget_tokens: 4 },
      prompt_caching_enabled: true,
      guardrail_blocked_text: 'No.',
    };
    const guardrail = { guardrail_version: '2', grounding_threshold: 0.5, relevance_threshold: 0.25 };
    const searched = async (is_guardrail_enabled: boolean, guardrail_arn: string) => {
      const bedrock_guardrails = { is_guardrail_enabled, guardrail_arn, ...guardrail };
      return knowing({ retrieve: () => ({ ...answer, ...settings, bedrock_guardrails }) }).search();
    };
    const checks = { version: '2', groundingThreshold: 0.5, relevanceThreshold: 0.25, blockedText: 'No.' };
    expect(await searched(true, '')).toMatchObject({
      parameters: { maxTokens: 9, topK: 1, topP: 0.5, temperature: 0, stopSequences: ['.'], reasoningTokens: 4 },
      isCached: true,
      bot: { version: 7, chunkIds: ['c1'], guardrail: { arn: null, ...checks } },
    });
    const arn = 'arn:aws:bedrock:us-east-1:1:guardrail/g';
    expect((await searched(true, arn)).bot?.guardrail).toEqual({ arn, ...checks });
    expect((await searched(false, arn)).bot?.guardrail).toBe(null);
  });
  it('uses the current groups of the user if the user alone may not use the bot', async () => {
    const { search, calls } = knowing({
      retrieve: ({ groups }) => (groups.includes('team') ? answer : notFound),
      me: () => ({ groups: ['team'], enabled: true }),
    });
    expect((await search()).knowledge?.chunks.length).toBe(1);
    expect(calls.map(([path, { groups, kind }]) => [path, groups, kind])).toEqual([
      ['bots/internal/bots/b/retrieve', [], 'system'],
      ['identity/user/me', [], 'user'],
      ['bots/internal/bots/b/retrieve', ['team'], 'system'],
    ]);
  });
  it.each([
    ['has left the group', { groups: ['other'], enabled: true }],
    ['is in no group', { groups: [], enabled: true }],
    ['is disabled', { groups: ['team'], enabled: false }],
    ['was erased', refuse('missing', 'user_not_found', 'There is no such user.')],
  ])('finds no bot when the user %s', async (_, me) => {
    const { search } = knowing({ retrieve: ({ groups }) => (groups.includes('team') ? answer : notFound), me: () => me });
    await expect(search()).rejects.toMatchObject({ code: 'bot_not_found', kind: 'missing' });
  });
  it('returns the instruction of a bot without knowledge', async () => {
    const { search } = knowing({ retrieve: () => ({ ...answer, has_knowledge: false, chunks: [] }) });
    expect(await search()).toMatchObject({ instruction: 'Be brief.', knowledge: null });
  });
  it.each([
    ['a service does not answer', refuse('unavailable', 'service_unavailable', 'Away.'), 'service_unavailable'],
    ['a replica of the previous release answers', refuse('missing', 'no_such_route', 'Route not found.'), 'service_unavailable'],
  ])('can be retried when %s', async (_, error, code) => {
    await expect(knowing({ retrieve: () => error }).search()).rejects.toMatchObject({ code, kind: 'unavailable' });
    const late = knowing({ retrieve: () => notFound, me: () => error });
    await expect(late.search()).rejects.toMatchObject({ code, kind: 'unavailable' });
  });
  it('can be retried when it takes too long', async () => {
    jest.useFakeTimers();
    const timers = timersOf(jest, 5_000);
    try {
      const { search } = knowing({ retrieve: () => new Promise(() => undefined) });
      const found = search().catch((error: unknown) => error);
      await jest.advanceTimersByTimeAsync(5_000);
      expect(await found).toMatchObject({ code: 'service_unavailable', kind: 'unavailable' });
      expect(timers.running).toEqual([]);
    } finally {
      jest.restoreAllMocks();
      jest.useRealTimers();
    }
  });
  it('keeps no timer after its end', async () => {
    jest.useFakeTimers();
    const timers = timersOf(jest, 5_000);
    try {
      await knowing().search();
      expect(timers.running).toEqual([]);
    } finally {
      jest.restoreAllMocks();
      jest.useRealTimers();
    }
  });
  it('fails permanently when the knowledge cannot be searched', async () => {
    const refusal = refuse('unavailable', 'knowledge_unavailable', 'The knowledge base of this bot gives no answer now. Try again later.');
    const failed = { kind: 'conflict', code: 'knowledge_unavailable', message: refusal.message };
    await expect(knowing({ retrieve: () => refusal }).search()).rejects.toMatchObject(failed);
  });
  it('fails with any other refusal', async () => {
    const { search } = knowing({ retrieve: () => refuse('conflict', 'knowledge_broken', 'It is broken.') });
    await expect(search()).rejects.toMatchObject({ code: 'knowledge_broken' });
  });
  it('uses the beginning of a long question, without cutting a character', async () => {
    const { search, bodies } = knowing();
    await search(`${'x'.repeat(QUESTION_SEARCHED - 1)}😀 and more`);
    expect(bodies).toEqual([{ query: `${'x'.repeat(QUESTION_SEARCHED - 1)}\uFFFD` }]);
  });
});

describe('the chunks in a prompt', () => {
  const chunksInPrompt = async (chunks: readonly object[]) =>
    (await knowing({ retrieve: () => ({ ...answer, chunks }) }).search()).knowledge!.chunks;

  it('are bounded in bytes: the last one is cut between two characters', async () => {
    const [first, second, ...none] = await chunksInPrompt([
      { ...chunk, content: 'x'.repeat(CHUNK_BYTES - 5) },
      { ...chunk, content: 'ééé' },
      { ...chunk, content: 'more' },
    ]);
    expect([first?.content.length, second?.content, none.length]).toEqual([CHUNK_BYTES - 5, 'éé', 1]);
  });
  it('end at the limit', async () => {
    const kept = await chunksInPrompt([
      { ...chunk, content: 'x'.repeat(CHUNK_BYTES) },
      { ...chunk, content: 'more' },
    ]);
    expect(kept.length).toBe(1);
  });
  it('are bounded in number, with ranks from 1', async () => {
    const kept = await chunksInPrompt(Array.from({ length: MOST_CHUNKS + 1 }, () => chunk));
    expect(kept.map(({ rank }) => rank)).toEqual(Array.from({ length: MOST_CHUNKS }, (_, index) => index + 1));
  });
  it('have short labels', async () => {
    const long = 'y'.repeat(LONGEST_LABEL + 1);
    const [kept] = await chunksInPrompt([{ ...chunk, source: long, source_name: long, heading: long }]);
    expect([kept?.source, kept?.source_name, kept?.heading].map((text) => text?.length)).toEqual(
      Array.from({ length: 3 }, () => LONGEST_LABEL),
    );
  });
});
