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

const wholeOf = {
  openai: 'data: [DONE]\n\n',
  anthropic: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  responses: 'event: response.completed\ndata: {"type":"response.completed","response":{"output":[]}}\n\n',
};
const eventOf = {
  openai: (part: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: part } }] })}\n\n`,
  responses: (part: string) =>
    `event: response.output_text.delta\ndata: ${JSON.stringify({ type: 'response.output_text.delta', item_id: 'i', content_index: 0, delta: part })}\n\n`,
  anthropic: (part: string) =>
    `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: part } })}\n\n`,
};

/** The text that a client makes of a stream, which arrives line by line. */
async function streamed(dialect: keyof typeof eventOf, parts: readonly string[], verdicts: Verdicts, masking: Masking): Promise<string> {
  const stream = new GuardedStream(dialect, verdicts, masking);
  const shown: Buffer[] = [];
  for (const part of parts) for (const line of eventOf[dialect](part).split(/(?<=\n)/)) shown.push(await stream.pass(Buffer.from(line)));
  shown.push(await stream.end(Buffer.from(wholeOf[dialect])));
  const events = Buffer.concat(shown).toString().split('\n');
  return events
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)))
    .map((event) => event.choices?.[0].delta.content ?? event.delta?.text ?? event.delta ?? '')
    .join('');
}

describe.each(['openai', 'anthropic', 'responses'] as const)('a stream in the format %s', (dialect) => {
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

describe('a stream of events with types', () => {
  const named = (event: { readonly type: string; readonly [field: string]: unknown }) =>
    `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  const at = { item_id: 'i', output_index: 0, content_index: 0 };
  const part = { type: 'output_text', text: 'Write to jo@example.com', annotations: [], logprobs: [{ token: 'jo' }] };
  const item = { id: 'i', type: 'message', content: [part] };
  const repeats =
    named({ type: 'response.output_text.done', ...at, text: part.text }) +
    named({ type: 'response.content_part.done', ...at, part }) +
    named({ type: 'response.output_item.done', output_index: 0, item });
  const last = named({ type: 'response.completed', response: { instructions: 'Ask [EMAIL_1], not al@example.com', output: [item] } });
  const deltas = ['Write to jo@exam', 'ple.com'].map((delta) =>
    named({ type: 'response.output_text.delta', ...at, sequence_number: 1, delta }),
  );

  const shownBy = async (verdicts: Verdicts, masking: Masking, ...events: readonly string[]) => {
    const stream = new GuardedStream('responses', verdicts, masking);
    const shown = [];
    for (const event of events) shown.push(await stream.pass(Buffer.from(event)));
    return Buffer.concat([...shown, await stream.end(Buffer.alloc(0))]).toString();
  };

  it('has no masked value in its parts and in what repeats them, and each value is counted once', async () => {
    const verdicts = output('mask');
    const shown = await shownBy(verdicts, new Masking(), ...deltas, repeats, last);
    expect(shown).not.toMatch(/jo@|"token"/);
    expect(shown.match(/Write to \[EMAIL_\d\]/g)).toHaveLength(4);
    expect(verdicts.all()).toEqual([expect.objectContaining({ found: { email: 1 } })]);
  });
  it('counts the values of a server that sends no parts', async () => {
    const verdicts = output('flag');
    expect(await shownBy(verdicts, new Masking(), repeats, last)).toBe(repeats + last);
    expect(verdicts.all()).toEqual([expect.objectContaining({ found: { email: 1 } })]);
  });
  it('ends before a blocked value that comes without parts', async () => {
    const verdicts = output('block');
    expect(await shownBy(verdicts, new Masking(), repeats, last)).not.toMatch(/jo@/);
    expect(verdicts.blockedBy).toBe('all');
  });
  it('repeats the request as its caller has sent it, without checking it', async () => {
    const [verdicts, masking] = [output('block'), new Masking()];
    await checkText('bo@example.com', new Verdicts(new Guardrails([{ ...policy, stage: 'input' }]).of('gateway', 'input')), masking);
    const created = named({ type: 'response.created', response: { instructions: 'Ask [EMAIL_1], not al@example.com', output: [] } });
    expect(await shownBy(verdicts, masking, created)).toContain('Ask bo@example.com, not al@example.com');
    expect(verdicts.blockedBy).toBeNull();
  });
  it('is checked in the parts of a transcription, too', async () => {
    const verdicts = output('mask');
    const stream = new GuardedStream('transcription', verdicts, new Masking());
    const spoken = ['Write to jo@exam', 'ple.com'].map((delta) => named({ type: 'transcript.text.delta', delta }));
    const done = named({ type: 'transcript.text.done', text: 'Write to jo@example.com' });
    const shown = [];
    for (const event of [...spoken, done]) shown.push(await stream.pass(Buffer.from(event)));
    expect(Buffer.concat(shown).toString()).not.toMatch(/jo@/);
    expect(verdicts.all()).toEqual([expect.objectContaining({ found: { email: 1 } })]);
  });
  it('has the values again in the arguments of a function, as JSON needs them', async () => {
    const masking = new Masking();
    await checkText(
      '"jo"@example.com bo@example.com',
      new Verdicts(new Guardrails([{ ...policy, stage: 'input' }]).of('gateway', 'input')),
      masking,
    );
    const call = (delta: string) => named({ type: 'response.function_call_arguments.delta', item_id: 'f', output_index: 1, delta });
    const none = new Verdicts(new Guardrails([]).of('gateway', 'output'));
    const shown = await shownBy(
      none,
      masking,
      call('{"to": [EMA'),
      call('IL_1]}'),
      named({ type: 'response.function_call_arguments.done', item_id: 'f', arguments: '{"to": [EMAIL_1]}' }),
    );
    const parts = shown.split('\n').flatMap((line) => (line.startsWith('data: ') ? JSON.parse(line.slice(6)) : []));
    expect(parts.map(({ delta = '' }) => delta).join('')).toBe(parts.at(-1).arguments);
    expect(JSON.parse(parts.at(-1).arguments)).toEqual({ to: expect.stringContaining('@example.com') });
  });
});
