import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import type { Produced } from '@parlance/chat-models';
import { waitFor } from '@parlance/testing';
import type { ConversationCommand } from '../../domain/conversation-commands.ts';
import { LONGEST_REPLY_BYTES } from './generation.ts';
import type { StopCause } from '../live-replies.ts';
import {
  reply,
  question,
  usage,
  CONTEXT_WINDOW,
  type Parts,
  writing,
  parts,
  text,
  reasoning,
  hangs,
  obeys,
} from '../../../test/written-reply.ts';

describe('writing a reply that arrives in parts', () => {
  const begun = async (of: Parts) => {
    const all = writing(of);
    const written = all.writer.write(reply, question);
    await waitFor(() => all.live.of('r')?.text.toString() === 'So it', { what: 'the first parts' });
    return { ...all, written, stop: (because: StopCause) => all.live.of('r')!.stop(because) };
  };
  const soIt = parts(reasoning('Hm.'), text('So'), text(' it'));

  it('shows the parts as they arrive, and stores nothing before the end', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { live, written, observed } = await begun({ produce: soIt(() => promise) });
    const its = live.of('r')!;
    expect([its.reasoning.toString(), its.hasEnded, observed.commands]).toEqual(['Hm.', false, []]);
    resolve();
    await written;
    expect([live.of('r'), its.hasEnded]).toEqual([undefined, true]);
  });
  it('stores the reasoning separately from the text', async () => {
    const end: Produced = { type: 'end', stopReason: 'stop_sequence', usage, requestId: null };
    const { writer, observed } = writing({ produce: parts(reasoning('H'), reasoning('m.'), text('So'), end)() });
    await writer.write(reply, question);
    expect(observed.ends).toMatchObject([
      { type: 'CompleteReply', content: 'So', reasoning: 'Hm.', stopReason: 'stop_sequence', usage, costNanoDollars: 10 },
    ]);
  });
  it.each([
    ['obeys its signal', obeys],
    ['ignores its signal', hangs],
  ])('stores the text so far when its user stops it, and counts its tokens, if the model %s', async (_, then) => {
    const { observed, written, stop } = await begun({ produce: soIt(then) });
    stop('cancelled');
    await written;
    // Two messages, each with the tokens of its frame.
    const counted = { inputTokens: 13, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true };
    expect(observed.ends).toMatchObject([
      { type: 'CompleteReply', content: 'So it', reasoning: 'Hm.', stopReason: 'cancelled', usage: counted, costNanoDollars: 40 },
    ]);
  });
  it('is charged only for what fits into the model’s window when it is stopped', async () => {
    const { writer, observed, live } = writing({ produce: soIt(obeys) });
    const written = writer.write(reply, { ...question, text: 'why '.repeat(10_000) });
    await waitFor(() => live.of('r')?.text.toString() === 'So it', { what: 'the first parts' });
    live.of('r')!.stop('cancelled');
    await written;
    const [{ usage: counted }] = observed.ends as [Extract<ConversationCommand, { type: 'CompleteReply' }>];
    expect(counted).toMatchObject({ estimated: true });
    expect(counted.inputTokens).toBeLessThan(CONTEXT_WINDOW);
  });
  it('ignores parts that arrive after it was stopped', async () => {
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
  it('appends nothing more when the process ends', async () => {
    const { observed, written, stop } = await begun({ produce: soIt(obeys) });
    stop('process_ends');
    await written;
    expect([observed.commands, observed.errors]).toEqual([[], 0]);
  });
  it.each(['reply_is_over', 'claim_lost'])('is charged for its text so far when it is lost, if the log allows it (%s)', async (code) => {
    const command = () => Promise.reject(refuse('conflict', code, 'It is over.'));
    const { observed, written, stop } = await begun({ produce: soIt(obeys), command });
    stop('lost');
    await written;
    expect([observed.ends, observed.errors]).toMatchObject([
      [{ type: 'ChargeErasedReply', charges: [{ chargeId: 'r', usage: { estimated: true } }] }],
      0,
    ]);
  });
  it('fails when it takes too long, and is charged for its text so far', async () => {
    const { observed, written, stop } = await begun({ produce: soIt(obeys) });
    stop('out_of_time');
    await written;
    expect(observed.ends).toMatchObject([{ type: 'FailReply', code: 'reply_timeout', partial: { content: 'So it', costNanoDollars: 40 } }]);
  });
  it('ends as at the limit of its provider when it becomes too long', async () => {
    const signals: AbortSignal[] = [];
    const endless = async function* (signal: AbortSignal) {
      signals.push(signal);
      for (;;) yield text('x'.repeat(1_000_000));
    };
    const { writer, observed } = writing({ produce: endless });
    await writer.write(reply, question);
    expect(observed.ends).toMatchObject([{ type: 'CompleteReply', stopReason: 'max_tokens', content: 'x'.repeat(LONGEST_REPLY_BYTES) }]);
    expect(signals[0]!.aborted).toBe(true);
  });

  const failing = (error: Error) => async () => Promise.reject(error);
  it('fails when the stream breaks, and keeps and charges the text so far', async () => {
    const { writer, observed } = writing({ produce: soIt(failing(new Error('ECONNRESET 10.0.0.1'))) });
    await writer.write(reply, question);
    expect(observed.ends).toMatchObject([
      {
        type: 'FailReply',
        code: 'generation_failed',
        reason: 'The model returned no answer.',
        partial: { content: 'So it', usage: { outputTokens: 4, estimated: true }, costNanoDollars: 40 },
      },
    ]);
  });
  it('is charged as the provider reports, even if it fails', async () => {
    const error = Object.assign(new Error('The model is overloaded.'), { name: 'GenerationFailed', code: 'model_overloaded', usage });
    const { writer, observed } = writing({ produce: soIt(failing(error)) });
    await writer.write(reply, question);
    expect(observed.ends).toMatchObject([
      { code: 'model_overloaded', reason: 'The model is overloaded.', partial: { usage, costNanoDollars: 10 } },
    ]);
  });
  it('is charged nothing when the provider produced nothing', async () => {
    const { writer, observed } = writing({ produce: parts()(failing(new Error('refused'))) });
    await writer.write(reply, question);
    expect(observed.ends).toMatchObject([{ type: 'FailReply', partial: null }]);
  });
  it('fails when the model stops without an end', async () => {
    const { writer, observed } = writing({ produce: soIt() });
    await writer.write(reply, question);
    expect(observed.ends).toMatchObject([{ type: 'FailReply', code: 'generation_failed', partial: { content: 'So it' } }]);
  });
  it('is charged nothing when its user stops it before a provider was called', async () => {
    const { writer, observed, live } = writing({ isQueued: true });
    const written = writer.write(reply, question);
    await waitFor(() => observed.calls === 1, { what: 'the model to be asked' });
    live.of('r')!.stop('cancelled');
    await written;
    expect(observed.ends).toMatchObject([{ stopReason: 'cancelled', usage: { inputTokens: 0, outputTokens: 0 }, costNanoDollars: 0 }]);
  });
  it('is charged nothing when its time is over before a provider was called', async () => {
    const { writer, observed, live } = writing({ isQueued: true });
    const written = writer.write(reply, question);
    await waitFor(() => observed.calls === 1, { what: 'the model to be asked' });
    live.of('r')!.stop('out_of_time');
    await written;
    expect(observed.ends).toMatchObject([{ type: 'FailReply', code: 'reply_timeout', partial: null }]);
  });
  it('releases the memory of its files when its user stops it while they are loaded', async () => {
    const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
    const seen = { loads: 0, releases: 0 };
    const files = {
      load: async () => {
        seen.loads++;
        await loaded;
        return { byId: new Map(), release: () => void seen.releases++ };
      },
    };
    const { writer, observed, live } = writing({ files });
    const written = writer.write(reply, question);
    await waitFor(() => seen.loads === 1, { what: 'the files to be loaded' });
    live.of('r')!.stop('cancelled');
    await written;
    load();
    await waitFor(() => seen.releases === 1, { what: 'their memory to be released' });
    expect(observed.calls).toBe(0);
  });
  it('never calls the model for a reply that was already stopped', async () => {
    const { writer, observed } = writing();
    await writer.write({ ...reply, isCancelled: true }, question);
    const free = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
    expect(observed.ends).toMatchObject([{ type: 'CompleteReply', content: '', stopReason: 'cancelled', usage: free, costNanoDollars: 0 }]);
    expect(observed.calls).toBe(0);
  });
});
