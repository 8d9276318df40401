import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { reply, question, usage, writing, parts, text, hangs } from '../../../test/written-reply.ts';

describe('a reply by a fallback, or with several calls', () => {
  const broken = { inputTokens: 7, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true };
  const begin = { type: 'begin', model: 'other', provider: 'p', providerModel: 'o-1', tries: 2 } as const;
  const charges = [{ model: 'm', usage: broken }];
  const end = { type: 'end', stopReason: 'end_turn', usage, requestId: null } as const;

  it('is charged to the model that answered, and each earlier call to its own model', async () => {
    const { writer, observed } = writing({ produce: parts({ ...begin, charges }, text('Yes.'), end)() });
    await writer.write(reply, question);
    expect(observed.ends).toMatchObject([
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
    const { writer, observed } = writing({ produce: parts({ ...begin, charges }, text('Ye'))(async () => Promise.reject(error)) });
    await writer.write(reply, question);
    expect(observed.ends).toMatchObject([
      { type: 'FailReply', partial: { content: 'Ye', model: 'other', usage }, failedCalls: [{ model: 'm', usage: broken }] },
    ]);
  });
  it('is charged to the last called model if no model produced a token', async () => {
    const failure = { name: 'GenerationFailed', code: 'provider_timed_out', usage, charges: [...charges, { model: 'other', usage }] };
    const error = Object.assign(new Error('The model was silent for too long.'), failure);
    const { writer, observed } = writing({ produce: parts()(async () => Promise.reject(error)) });
    await writer.write(reply, question);
    expect(observed.ends).toMatchObject([
      { type: 'FailReply', partial: { content: '', model: 'other', usage }, failedCalls: [{ model: 'm', usage: broken }] },
    ]);
  });
  it('is charged for the earlier calls even if its time is over during the last one', async () => {
    const { writer, observed, live } = writing({ produce: parts({ ...begin, charges }, text('Ye'))(hangs) });
    const written = writer.write(reply, question);
    await waitFor(() => live.of('r')?.text.toString() === 'Ye', { what: 'the first part' });
    live.of('r')!.stop('out_of_time');
    await written;
    expect(observed.ends).toMatchObject([
      {
        type: 'FailReply',
        code: 'reply_timeout',
        partial: { content: 'Ye', model: 'other' },
        failedCalls: [{ model: 'm', usage: broken }],
      },
    ]);
  });
});
