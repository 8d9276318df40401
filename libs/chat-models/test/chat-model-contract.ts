import { expect } from '@jest/globals';
import { type ChatModel, GenerationFailed } from '../src/index.ts';
import { LONGEST_ANSWER } from '../src/providers/provider-model.ts';
import type { ReportedUsage, Stop } from './provider-dialects.ts';
import { MOST_ADDED_OUTPUT_TOKENS, MOST_ADDED_TOKENS, MOST_REPORTED_TOKENS } from '../src/providers/usage-of.ts';
import { type Behaviour, UnrulyProvider } from './unruly-provider.ts';
import { collected, promptOf } from './collected.ts';
import { type Register, toolCases } from './tool-call-cases.ts';

export interface Candidate {
  /** A model that calls the provider at this base URL. */
  readonly open: (url: string) => ChatModel;
  /** Whether the API reports a stop sequence, and the number of tokens written to the cache. */
  readonly reportsStopSequence: boolean;
  readonly reportsCacheWrites: boolean;
  /** Whether the API reports how long the provider caches what was written. */
  readonly reportsCacheLifetimes: boolean;
}

const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };

/** A text of 50 tokens. */
const PRODUCED = ' word'.repeat(50);

const never = () => new AbortController().signal;

export interface Contract {
  readonly prepare: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/** The cases that every adapter of `ChatModel` for a provider must pass. They run between `prepare` and `end`. */
export function chatModelContract(
  { open, reportsStopSequence, reportsCacheWrites, reportsCacheLifetimes }: Candidate,
  it: Register,
): Contract {
  let provider: UnrulyProvider;
  let model: ChatModel;

  const asked = (behaviour: Behaviour, prompt = promptOf(), signal = never()) => {
    provider.behave = () => behaviour;
    return collected(model.generate(prompt, signal));
  };
  const answering = (text: readonly string[], usage: ReportedUsage | null, stop?: Stop): Behaviour => ({
    does: 'answer',
    text,
    usage,
    ...(stop && { stop }),
  });
  const failure = async (behaviour: Behaviour) => {
    const { error, text } = await asked(behaviour);
    expect(error).toBeInstanceOf(GenerationFailed);
    const { code, isRetryable, retryAfterSeconds, usage, message } = error as GenerationFailed;
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(message).not.toMatch(/secret|127\.0\.0\.1|https?:/);
    return { code, isRetryable, retryAfterSeconds, usage, text };
  };

  it('produces text and reasoning in order, then the end with the usage and the ID of the call', async () => {
    const { text, reasoning, end } = await asked({
      does: 'answer',
      reasoning: ['Hm', 'm.'],
      text: ['He', 'llo', ' 😀'],
      usage: { input: 12, output: 5 },
    });
    expect([reasoning, text]).toEqual(['Hmm.', 'Hello 😀']);
    const usage = { inputTokens: 12, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
    expect(end).toMatchObject({ type: 'end', stopReason: 'end_turn', usage, requestId: provider.calls.at(-1)!.requestId });
  });
  it('also ends after an empty answer', async () =>
    expect((await asked(answering([], { input: 5, output: 0 }))).end?.stopReason).toBe('end_turn'));
  it.each([
    ['length', 'max_tokens'],
    ['filtered', 'content_filtered'],
    ['stop_sequence', reportsStopSequence ? 'stop_sequence' : 'end_turn'],
  ] as const)('reports why it ended (%s)', async (stop, reason) =>
    expect((await asked(answering(['Hello'], { input: 5, output: 1 }, stop))).end?.stopReason).toBe(reason),
  );
  it('counts cached input among the input', async () => {
    const given = { input: 100, output: 5, cacheRead: 60, ...(reportsCacheWrites && { cacheWrite: 30 }) };
    const { end } = await asked(answering(['Hello'], given), promptOf({ question: 'Why? '.repeat(30) }));
    const cacheWriteTokens = reportsCacheWrites ? 30 : 0;
    expect(end?.usage).toEqual({ inputTokens: 100, outputTokens: 5, cacheReadTokens: 60, cacheWriteTokens, estimated: false });
  });
  it('reports which input the provider caches for an hour', async () => {
    if (!reportsCacheLifetimes) return;
    const prompt = promptOf({ question: 'Why? '.repeat(30) });
    const { end } = await asked(answering(['Hello'], { input: 100, output: 5, cacheWrite: 90, cacheWriteHour: 70 }), prompt);
    expect(end?.usage).toEqual({ ...none, inputTokens: 100, outputTokens: 5, cacheWriteTokens: 90, cacheWriteHourTokens: 70 });
  });
  it.each([
    ['nothing', null],
    ['negative numbers', { input: -5, output: -1 }],
    ['more input than can be counted', { input: MOST_REPORTED_TOKENS + 1, output: 5 }],
    ['more output than can be counted', { input: 10, output: 1e15 }],
    ['fractions', { input: 10.5, output: 1 }],
    ['no output for a text', { input: 10, output: 0 }],
  ])('counts the tokens if the provider reports %s', async (_, usage) => {
    const { end } = await asked(answering(['one two', ' three'], usage));
    expect(end?.usage).toMatchObject({ outputTokens: 3, cacheReadTokens: 0, estimated: true });
    expect(end!.usage.inputTokens).toBeGreaterThan(4);
  });
  it.each([
    ['the requested amount', { maxTokens: 500 }, 500],
    ['the requested amount and the reasoning', { maxTokens: 500, reasoningTokens: 2_000 }, 2_500],
    ['the produced amount', { maxTokens: 1 }, PRODUCED.length],
    ["the model's limit", {}, 128_000],
  ])('charges output as reported, and marks it as suspicious if it is far more than %s', async (_, parameters, most) => {
    const reported = async (output: number) => {
      const { end } = await asked(answering([PRODUCED], { input: 10, output }), promptOf({ parameters }));
      return end!.usage;
    };
    const allowed = most + MOST_ADDED_OUTPUT_TOKENS;
    expect(await reported(allowed)).toEqual({ ...none, inputTokens: 10, outputTokens: allowed });
    expect(await reported(allowed + 1)).toEqual({ ...none, inputTokens: 10, outputTokens: allowed + 1, suspicious: true });
  });
  it('charges input as reported, and marks it as suspicious if it is far more than was sent', async () => {
    const reported = async (input: number) => (await asked(answering(['Hello'], { input, output: 1 }))).end!.usage;
    expect(await reported(MOST_ADDED_TOKENS)).toEqual({ ...none, inputTokens: MOST_ADDED_TOKENS, outputTokens: 1 });
    expect(await reported(MOST_REPORTED_TOKENS)).toEqual({ ...none, inputTokens: MOST_REPORTED_TOKENS, outputTokens: 1, suspicious: true });
  });
  it('charges cached input as reported, and marks it as suspicious if it is more than the input', async () => {
    const { end } = await asked(answering(['Hello'], { input: 10, output: 1, cacheRead: 500 }));
    expect(end?.usage).toMatchObject({ outputTokens: 1, cacheReadTokens: 500, estimated: false });
    expect(end!.usage.inputTokens).toBeGreaterThanOrEqual(500);
  });
  it('sends the instruction, the turns and the files', async () => {
    const bytes = new TextEncoder().encode('an image');
    const turns = [
      { role: 'user', text: 'First' },
      { role: 'assistant', text: 'Second' },
      { role: 'user', text: 'Third', files: [{ mediaType: 'image/png', name: 'a.png', bytes }] },
    ] as const;
    await asked(answering(['Hello'], { input: 5, output: 1 }), promptOf({ turns }));
    const sent = JSON.stringify(provider.calls.at(-1)!.body);
    const places = ['Be brief.', 'First', 'Second', 'Third'].map((text) => sent.indexOf(text));
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(sent).toContain(Buffer.from(bytes).toString('base64'));
  });
  it('sends the generation parameters', async () => {
    const parameters = { maxTokens: 77, temperature: 0.25 };
    await asked(answering(['Hello'], { input: 5, output: 1 }), promptOf({ parameters }));
    const sent = JSON.stringify(provider.calls.at(-1)!.body);
    expect([sent.includes(':77'), sent.includes(':0.25')]).toEqual([true, true]);
  });

  toolCases({ asked, answering, sent: () => JSON.stringify(provider.calls.at(-1)!.body) }, it);
  it.each([
    [400, 'request_refused', false],
    [413, 'request_refused', false],
    [401, 'provider_misconfigured', false],
    [403, 'provider_misconfigured', false],
    [404, 'provider_misconfigured', false],
    [408, 'provider_unavailable', true],
    [429, 'provider_busy', true],
    [500, 'provider_unavailable', true],
    [503, 'provider_unavailable', true],
    [529, 'provider_busy', true],
  ])('fails without a charge if the provider answers %d', async (status, code, isRetryable) =>
    expect(await failure({ does: 'refuse', status })).toMatchObject({ code, isRetryable, usage: null }),
  );
  it.each(['', 'no JSON', '<html>', '[]', '{"error":null}'])('understands a refusal with the body %j', async (body) =>
    expect(await failure({ does: 'refuse', status: 500, body })).toMatchObject({ code: 'provider_unavailable' }),
  );
  it('reports when the provider wants to be called again', async () => {
    expect((await failure({ does: 'refuse', status: 429, retryAfter: '7' })).retryAfterSeconds).toBe(7);
    expect((await failure({ does: 'refuse', status: 429, retryAfter: 'soon' })).retryAfterSeconds).toBeNull();
  });
  it('calls once, and leaves retries to its caller', async () => {
    const before = provider.ledger.calls;
    await failure({ does: 'refuse', status: 500 });
    expect(provider.ledger.calls).toBe(before + 1);
  });
  it('follows no redirect', async () => {
    const other = await UnrulyProvider.open();
    expect(await failure({ does: 'redirect', to: `${other.url}/chat/completions` })).toMatchObject({
      code: 'provider_misconfigured',
      isRetryable: false,
    });
    expect(other.calls).toEqual([]);
    await other.close();
  });
  it('fails without a charge if nothing listens', async () => {
    const gone = await UnrulyProvider.open();
    const { url } = gone;
    await gone.close();
    const { error } = await collected(open(url).generate(promptOf(), never()));
    expect(error).toMatchObject({ code: 'provider_unavailable', isRetryable: true, usage: null });
  });
  it('fails if the connection is closed before an answer', async () =>
    expect(await failure({ does: 'break', after: 'nothing' })).toMatchObject({ code: 'provider_unavailable', isRetryable: true }));
  it.each([
    { does: 'break', after: 3 },
    { does: 'stop short', after: 3 },
  ] as const)('fails with the partial output if the answer is cut (%j)', async (behaviour) => {
    const { code, usage, text } = await failure(behaviour);
    expect([code, text]).toEqual(['stream_broken', 'word word word ']);
    expect(usage).toMatchObject({ estimated: true, inputTokens: expect.any(Number) });
    expect(usage!.outputTokens).toBeGreaterThanOrEqual(3);
  });
  it('fails if the answer is rubbish', async () => expect((await failure({ does: 'send rubbish' })).text).toBe(''));
  it('fails if an event never ends, and closes the connection', async () => {
    expect((await failure({ does: 'send an endless event' })).text).toBe('');
    await provider.calls.at(-1)!.closed;
  });
  it('cuts an endless answer, and closes the connection', async () => {
    const { text, end } = await asked({ does: 'talk endlessly' });
    expect([text.length, end?.stopReason, end?.usage.estimated]).toEqual([LONGEST_ANSWER, 'max_tokens', true]);
    await provider.calls.at(-1)!.closed;
  });

  it.each(['nothing', 2] as const)('ends the request when its signal is aborted after: %s', async (after) => {
    const stop = new AbortController();
    const arrived = provider.nextCall();
    const answer = asked({ does: 'hang', after }, promptOf(), stop.signal);
    const call = await arrived;
    if (after === 'nothing') stop.abort(new Error('enough'));
    else setImmediate(() => stop.abort(new Error('enough')));
    expect((await answer).error).toEqual(new Error('enough'));
    await call.closed;
    expect(call.isFinished).toBe(false);
  });
  it('makes no call if its signal is already aborted', async () => {
    const before = provider.ledger.calls;
    const { error } = await asked(answering(['Hello'], null), promptOf(), AbortSignal.abort(new Error('enough')));
    expect([error, provider.ledger.calls]).toEqual([new Error('enough'), before]);
  });
  it('ends the request when its caller stops reading the answer', async () => {
    provider.behave = () => ({ does: 'hang', after: 2 });
    const arrived = provider.nextCall();
    for await (const part of model.generate(promptOf(), never())) if (part.type === 'text') break;
    await (
      await arrived
    ).closed;
  });
  it('answers many calls at once, each with its own text', async () => {
    provider.behave = ({ body }) => answering([`${/question (\d+)/.exec(JSON.stringify(body))![1]}`], { input: 5, output: 1 });
    const numbers = Array.from({ length: 30 }, (_, number) => String(number));
    const answers = await Promise.all(
      numbers.map((number) => collected(model.generate(promptOf({ question: `question ${number}` }), never()))),
    );
    expect(answers.map(({ text }) => text)).toEqual(numbers);
  });

  return {
    prepare: async () => {
      provider = await UnrulyProvider.open();
      model = open(provider.url);
    },
    end: () => provider.close(),
  };
}
