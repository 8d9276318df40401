import { describe, expect, it } from '@jest/globals';
import { checkText, DETECTOR_NAMES, Guardrails, Masking, type Policy, Verdicts } from '@parlance/guardrails';
import fc from 'fast-check';
import { GuardedStream } from './guarded-stream.ts';

const KEY = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
/** Texts with values, next to each other and cut anywhere. */
const piece = fc.oneof(
  fc.constantFrom(
    'jo@example.com',
    KEY,
    'DE89 3704 0044 0532 0130 00',
    '+49 151 12345678',
    '4111 1111 1111 1111',
    'Project Aurora',
    "l'e\u0301te\u0301",
  ),
  fc.constantFrom(' ', '\n', '. ', '[EMAIL_1]', '[EMAIL_', '"', '\\', '{"a":', '😀', 'é', 'e\u0301'),
  fc.string({ maxLength: 10 }),
);
const text = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));
const cuts = fc.array(fc.nat(40), { maxLength: 30 });

const policy: Policy = {
  id: 'all',
  apply_to: ['gateway'],
  stage: 'output',
  action: 'mask',
  detectors: DETECTOR_NAMES,
  words: ['Project Aurora', "l'été"],
};
const output = (action: Policy['action']) => new Verdicts(new Guardrails([{ ...policy, action }]).of('gateway', 'output'));

function divided(whole: string, lengths: readonly number[]): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const length of lengths) {
    parts.push(whole.slice(at, at + length));
    at += length;
  }
  return [...parts, whole.slice(at)];
}

const wholeOf = { openai: 'data: [DONE]\n\n', anthropic: 'event: message_stop\ndata: {"type":"message_stop"}\n\n' };
const eventOf = {
  openai: (part: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: part } }] })}\n\n`,
  anthropic: (part: string) =>
    `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: part } })}\n\n`,
};

/** The text that a client makes of a stream, which arrives line by line. */
async function streamed(dialect: 'openai' | 'anthropic', parts: readonly string[], verdicts: Verdicts, masking: Masking): Promise<string> {
  const stream = new GuardedStream(dialect, verdicts, masking);
  const shown: Buffer[] = [];
  for (const part of parts) for (const line of eventOf[dialect](part).split(/(?<=\n)/)) shown.push(await stream.pass(Buffer.from(line)));
  shown.push(await stream.end(Buffer.from(wholeOf[dialect])));
  const events = Buffer.concat(shown).toString().split('\n');
  return events
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)))
    .map((event) => event.choices?.[0].delta.content ?? event.delta?.text ?? '')
    .join('');
}

describe.each(['openai', 'anthropic'] as const)('a stream in the format %s', (dialect) => {
  it.each(['mask', 'block', 'flag'] as const)('has the same text as a whole answer under a policy that would %s', async (action) => {
    await fc.assert(
      fc.asyncProperty(text, cuts, async (whole, lengths) => {
        const [one, other] = [output(action), output(action)];
        const shown = await streamed(dialect, divided(whole, lengths), one, new Masking());
        expect(shown).toBe(await checkText(whole, other, new Masking()));
        expect([one.all(), one.blockedBy]).toEqual([other.all(), other.blockedBy]);
      }),
    );
  });

  it('has the values of a masked request again', async () => {
    await fc.assert(
      fc.asyncProperty(text, cuts, async (whole, lengths) => {
        const masking = new Masking();
        const input = new Verdicts(new Guardrails([{ ...policy, stage: 'input' }]).of('gateway', 'input'));
        const masked = await checkText(whole, input, masking);
        const none = new Verdicts(new Guardrails([]).of('gateway', 'output'));
        expect(await streamed(dialect, divided(masked, lengths), none, masking)).toBe(whole);
      }),
    );
  });

  it('has its bytes if nothing in it is to be changed', async () => {
    const bytes = `: a comment\n\nid: 1\ndata: {"choices": [ {"delta":{"role":"assistant"}} ], "created":1.0}\n\n${wholeOf[dialect]}`;
    const stream = new GuardedStream(dialect, output('mask'), new Masking());
    const shown = [await stream.pass(Buffer.from(bytes)), await stream.end(Buffer.alloc(0))];
    expect(Buffer.concat(shown).toString()).toBe(bytes);
  });
});
