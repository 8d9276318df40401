import { describe, expect, it } from '@jest/globals';
import { LONGEST_REPLY_BYTES } from './generation.ts';
import { REASONING_TOKENS } from './reply-prompt.ts';
import { reply, question, usage, writing, parts, text, obeys } from '../../../test/written-reply.ts';

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
