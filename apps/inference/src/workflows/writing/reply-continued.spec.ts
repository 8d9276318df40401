import { describe, expect, it } from '@jest/globals';
import { LONGEST_REPLY_BYTES } from './generation.ts';
import { REASONING_TOKENS } from './reply-prompt.ts';
import { reply, question, usage, writing, parts, text, obeys } from '../../../test/written-reply.ts';

describe('continuing a reply', () => {
  it('passes the text so far to the model, and stores it before the new text', async () => {
    const { writer, observed } = writing();
    await writer.write(reply, { ...question, continues: 'So it is, ' });
    expect(observed.turns.slice(-2)).toEqual([
      { role: 'user', text: 'why' },
      { role: 'assistant', text: 'So it is, ' },
    ]);
    expect(observed.ends).toMatchObject([{ content: 'So it is, because', usage }]);
  });
  it('charges only the new text', async () => {
    const { writer, observed } = writing({ produce: parts(text('be'))(async () => Promise.reject(new Error('broken'))) });
    await writer.write(reply, { ...question, continues: 'word '.repeat(1_000) });
    expect(observed.ends).toMatchObject([{ partial: { usage: { outputTokens: 1 } } }]);
  });
  it('is not charged when it fails before its first word', async () => {
    const { writer, observed } = writing({ produce: parts()(async () => Promise.reject(new Error('refused'))) });
    await writer.write(reply, { ...question, continues: 'So it is, ' });
    expect(observed.ends).toMatchObject([{ partial: null }]);
  });
  it('keeps the text unchanged when it is stopped before the model is called', async () => {
    const { writer, observed } = writing();
    await writer.write({ ...reply, isCancelled: true }, { ...question, continues: 'So it is, ' });
    expect(observed.ends).toMatchObject([{ content: 'So it is, ', stopReason: 'cancelled' }]);
  });
  it('ends when the earlier and the new text together reach the limit', async () => {
    const earlier = 'x'.repeat(LONGEST_REPLY_BYTES - 2);
    const { writer, observed } = writing({ produce: parts(text('abcd'))(obeys) });
    await writer.write(reply, { ...question, continues: earlier });
    expect(observed.ends).toMatchObject([{ type: 'CompleteReply', stopReason: 'max_tokens', content: `${earlier}ab` }]);
  });
  it('fails for a text that has reached the limit, without calling the model', async () => {
    const { writer, observed } = writing();
    await writer.write(reply, { ...question, continues: 'x'.repeat(LONGEST_REPLY_BYTES) });
    expect([observed.calls, observed.ends]).toMatchObject([0, [{ type: 'FailReply', code: 'reply_too_long', partial: null }]]);
  });
});

describe('a reply with reasoning', () => {
  it('allows the model tokens to reason', async () => {
    const { writer, observed } = writing();
    await writer.write(reply, { ...question, wantsReasoning: true });
    expect(observed.prompt.parameters.reasoningTokens).toBe(REASONING_TOKENS);
  });
  it('is not the default', async () => {
    const { writer, observed } = writing();
    await writer.write(reply, question);
    expect(observed.prompt.parameters.reasoningTokens).toBeNull();
  });
});
