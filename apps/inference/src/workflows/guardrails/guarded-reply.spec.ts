import { describe, expect, it } from '@jest/globals';
import type { GuardrailPolicy } from '@parlance/config';
import { SURFACES } from '@parlance/guardrails';
import type { Routed } from '@parlance/chat-models';
import { question, reply, usage, writing } from '../../../test/written-reply.ts';

const policy = (its: Partial<GuardrailPolicy>): GuardrailPolicy => ({
  id: 'pii',
  apply_to: SURFACES,
  stage: 'input',
  action: 'mask',
  detectors: ['email', 'secret'],
  words: [],
  phone_regions: [],
  ...its,
});
const KEY = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;

/** Produces the text in parts of three characters. */
const streamed = (text: string) =>
  async function* (): AsyncGenerator<Routed> {
    for (let at = 0; at < text.length; at += 3) yield { type: 'text', text: text.slice(at, at + 3) };
    yield { type: 'end', stopReason: 'end_turn', usage, requestId: null };
  };

describe('a reply under policies', () => {
  it('is written from a masked message, and shows the values again', async () => {
    const { writer, observed } = writing({ policies: [policy({})], produce: streamed('I wrote to [EMAIL_1], not to [EMAIL_2].') });
    await writer.write(reply, { ...question, text: 'Write to jo@example.com' });
    expect(observed.turns.at(-1)).toMatchObject({ text: 'Write to [EMAIL_1]' });
    expect(observed.ends).toMatchObject([
      {
        type: 'CompleteReply',
        content: 'I wrote to jo@example.com, not to [EMAIL_2].',
        blocked: null,
        provenance: { policies: [{ id: 'pii', stage: 'input', action: 'mask', found: { email: 1 } }] },
      },
    ]);
    expect(observed.verdicts).toEqual([['pii', 'input', 'mask']]);
  });

  it('has the same placeholder for a value of an earlier turn', async () => {
    const { writer, observed } = writing({ policies: [policy({})], open: async () => 'Mail jo@example.com!' });
    await writer.write(reply, { ...question, text: 'jo@example.com or eva@example.com?' });
    const texts = observed.turns.map(({ text }) => text);
    expect(texts).toEqual(['Mail [EMAIL_1]!', '[EMAIL_1] or [EMAIL_2]?']);
  });

  it('has no value that an output policy masks, however the stream is divided; administrators can read it', async () => {
    const output = policy({ stage: 'output' });
    const answer = `The key is ${KEY}, ask eva@example.com.`;
    const { writer, observed } = writing({ policies: [output], produce: streamed(answer) });
    await writer.write(reply, question);
    expect(observed.ends).toMatchObject([
      {
        content: 'The key is [SECRET_1], ask [EMAIL_1].',
        blocked: answer,
        provenance: { policies: [{ id: 'pii', stage: 'output', action: 'mask', found: { secret: 1, email: 1 } }] },
      },
    ]);
  });

  it('ends before a value that an output policy blocks', async () => {
    const { writer, observed, live } = writing({
      policies: [policy({ id: 'no-keys', stage: 'output', action: 'block' })],
      produce: streamed(`The key is ${KEY}. And more.`),
    });
    const shown: string[] = [];
    const { end } = live;
    live.end = (each) => (shown.push(each.text.toString()), end.call(live, each));
    await writer.write(reply, question);
    const content = 'The key is \n\n(The rest of this answer was withheld by the policy no-keys.)';
    expect(observed.ends).toMatchObject([
      { type: 'CompleteReply', stopReason: 'content_filtered', content, provenance: { policies: [{ id: 'no-keys', action: 'block' }] } },
    ]);
    expect(shown).toEqual([content]);
    expect(observed.ends[0]).toHaveProperty('blocked', expect.stringContaining(KEY));
  });

  it('fails without a call to the model if a policy blocks the message', async () => {
    const { writer, observed } = writing({ policies: [policy({ action: 'block' })] });
    await writer.write(reply, { ...question, text: `Use ${KEY} please` });
    expect(observed.calls).toBe(0);
    expect(observed.ends).toMatchObject([
      {
        type: 'FailReply',
        code: 'guardrail_blocked',
        reason: 'The policy pii does not allow this message, because it contains a password or a key.',
        partial: null,
      },
    ]);
  });

  it('is unchanged by a policy that flags, which is recorded', async () => {
    const { writer, observed } = writing({
      policies: [policy({ action: 'flag' }), policy({ id: 'answers', stage: 'output', action: 'flag' })],
      produce: streamed('Ask eva@example.com.'),
    });
    await writer.write(reply, { ...question, text: 'Who is jo@example.com?' });
    expect(observed.turns.at(-1)).toMatchObject({ text: 'Who is jo@example.com?' });
    const policies = [
      { id: 'pii', stage: 'input', action: 'flag', found: { email: 1 } },
      { id: 'answers', stage: 'output', action: 'flag', found: { email: 1 } },
    ];
    expect(observed.ends).toMatchObject([{ content: 'Ask eva@example.com.', blocked: null, provenance: { policies } }]);
  });

  it('is checked only by policies of its surface', async () => {
    const { writer, observed } = writing({ policies: [policy({ apply_to: ['published'] })] });
    await writer.write(reply, { ...question, text: 'Write to jo@example.com' });
    expect(observed.turns.at(-1)).toMatchObject({ text: 'Write to jo@example.com' });
    await writer.write(reply, { ...question, text: 'Write to jo@example.com', apiId: 'a' });
    expect(observed.turns.at(-1)).toMatchObject({ text: 'Write to [EMAIL_1]' });
  });
});
