import { describe, expect, it } from '@jest/globals';
import { patience } from '@parlance/testing';
import { ChatModel, GenerationFailed, type Produced, type Prompt } from '../src/index.ts';
import type { Register } from './tool-call-cases.ts';
import { chatModelContract } from './chat-model-contract.ts';
import { openProvider } from './open-provider.ts';

type Generate = (inner: ChatModel, prompt: Prompt, signal: AbortSignal) => AsyncIterable<Produced>;

/** Behaves like a correct adapter, except for one change. */
class Broken extends ChatModel {
  constructor(
    private readonly inner: ChatModel,
    private readonly change: Generate,
  ) {
    super();
  }
  generate = (prompt: Prompt, signal: AbortSignal) => this.change(this.inner, prompt, signal);
}

/** A case that has not finished within `limit` has failed. A correct adapter finishes each case within milliseconds. */
const CASE_MILLIS = 500;

async function failuresOf(change: Generate, only: RegExp, limit = CASE_MILLIS): Promise<string[]> {
  const cases: { name: string; run: () => Promise<void> }[] = [];
  const register = Object.assign((name: string, run: () => Promise<void>) => void cases.push({ name, run }), {
    each: (rows: readonly unknown[]) => (name: string, run: (...row: unknown[]) => Promise<void>) => {
      for (const row of rows) cases.push({ name, run: async () => run(...(Array.isArray(row) ? row : [row])) });
    },
  }) as unknown as Register;
  const open = (url: string) => new Broken(openProvider('openai_compatible', url), change);
  const { prepare, end } = chatModelContract(
    { open, reportsStopSequence: false, reportsCacheWrites: false, reportsCacheLifetimes: false },
    register,
  );
  await prepare();
  const failed: string[] = [];
  for (const { name, run } of cases.filter((each) => only.test(each.name))) {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('late')), limit);
    await Promise.race([run(), late.promise]).catch(() => failed.push(name));
    clearTimeout(timer);
  }
  await end();
  return failed;
}

/** Changes each part of an answer. */
const parts = (change: (part: Produced) => Produced | null): Generate =>
  async function* (inner, prompt, signal) {
    for await (const part of inner.generate(prompt, signal)) {
      const changed = change(part);
      if (changed) yield changed;
    }
  };

/** Changes the error of an answer. */
const errors = (change: (error: unknown) => unknown): Generate =>
  async function* (inner, prompt, signal) {
    try {
      yield* inner.generate(prompt, signal);
    } catch (error) {
      throw change(error);
    }
  };

describe('the contract of chat models', () => {
  it('is met by a correct adapter', async () =>
    expect(await failuresOf((inner, prompt, signal) => inner.generate(prompt, signal), /^(produces|fails|says)/, patience(60_000))).toEqual(
      [],
    ));

  it.each<[string, string, Generate]>([
    ['loses reasoning', 'produces text and reasoning', parts((part) => (part.type === 'reasoning' ? null : part))],
    ['has no end', 'produces text and reasoning', parts((part) => (part.type === 'end' ? null : part))],
    [
      'believes any usage',
      'counts the tokens if the provider reports %s',
      parts((part) => (part.type === 'end' ? { ...part, usage: { ...part.usage, estimated: false } } : part)),
    ],
    [
      'believes any amount',
      'charges input as reported',
      parts((part) => {
        if (part.type !== 'end') return part;
        const { suspicious: _, ...usage } = part.usage;
        return { ...part, usage };
      }),
    ],
    [
      'always reports a normal end',
      'reports why it ended',
      parts((part) => (part.type === 'end' ? { ...part, stopReason: 'end_turn' } : part)),
    ],
    [
      'loses the ID of the call',
      'produces text and reasoning',
      parts((part) => (part.type === 'end' ? { ...part, requestId: null } : part)),
    ],
    [
      'shows the text of the provider',
      'fails without a charge if the provider answers',
      errors(() => new Error('No, at https://secret.example.org')),
    ],
    [
      'charges nothing for a broken answer',
      'fails with the partial output if the answer is cut',
      errors((error) => (error instanceof GenerationFailed ? error.withUsage(null) : error)),
    ],
    [
      'ignores its signal',
      'ends the request when its signal is aborted',
      (inner, prompt) => inner.generate(prompt, new AbortController().signal),
    ],
    [
      'forgets the turns before the question',
      'sends the instruction',
      (inner, prompt, signal) => inner.generate({ ...prompt, turns: prompt.turns.slice(-1) }, signal),
    ],
    [
      'tries again',
      'calls once',
      async function* (inner, prompt, signal) {
        try {
          yield* inner.generate(prompt, signal);
        } catch {
          yield* inner.generate(prompt, signal);
        }
      },
    ],
  ])('is broken by an adapter that %s', async (_, name, change) => {
    expect(await failuresOf(change, new RegExp(`^${name.replace('%', '%')}`))).not.toEqual([]);
  });
});
