import { describe, expect, it } from '@jest/globals';
import { JoinedEvents } from './joined-events.ts';

const event = (data: object, name?: string) => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
const compatible = (delta: object, more: object = {}) => event({ id: 'c', choices: [{ index: 0, delta, ...more }] });
const content = (text: string) => compatible({ content: text });

const joined = (...reads: readonly (string | Buffer)[]) => {
  const events = new JoinedEvents();
  return reads.map((read) => events.add(Buffer.from(read)).toString());
};

describe('events of one read', () => {
  it('are joined if they differ only in their text', () => {
    expect(joined(content('A ') + content('few ') + content('words.'))).toEqual([content('A few words.')]);
  });
  it.each([
    ['reasoning of compatible servers', (text: string) => compatible({ reasoning_content: text })],
    [
      'text of Anthropic',
      (text: string) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, 'content_block_delta'),
    ],
    [
      'reasoning of Anthropic',
      (text: string) => event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: text } }),
    ],
  ])('are joined in the form of %s', (_, form) => {
    expect(joined(form('A ') + form('b'))).toEqual([form('A b')]);
  });
  it.each(['a "quoted" part', 'a \\ and a "', '\\', '\n\n', '日本語 ü 👍', '{"delta":{"content":"x"}}', 'data: {}'])(
    'keep every character: %j',
    (text) => {
      expect(joined(content(text) + content(text) + content('.'))).toEqual([content(`${text}${text}.`)]);
    },
  );
  it.each([
    ['of another kind', content('a') + compatible({ reasoning_content: 'b' })],
    ['with an end', content('a') + compatible({ content: 'b' }, { finish_reason: 'stop' })],
    ['with another id', content('a') + content('b').replace('"c"', '"d"')],
    ['that are not pieces', event({ content: 'a' }) + event({ content: 'b' })],
    ['without a text', compatible({ tool_calls: [{ index: 0, function: { arguments: '{"a' } }] }) + compatible({ content: null })],
    [
      'with an empty text and a call of a tool',
      compatible({ content: '', tool_calls: [{ index: 0, function: { arguments: '0' } }] }).repeat(2),
    ],
    ['with an empty text and a thought', compatible({ role: 'assistant', content: '', reasoning: '0' }).repeat(2)],
    ['with the same text under two names', compatible({ reasoning: 'a', reasoning_content: 'a' }).repeat(2)],
    ['with an empty text', content('').repeat(2)],
    ['that are not JSON', 'data: "delta":{"content":"a\n\ndata: "delta":{"content":"a\n\n'],
    ['with other line endings', (content('a') + content('b')).replaceAll('\n', '\r\n')],
  ])('are left unchanged: %s', (_, read) => {
    expect(joined(read)).toEqual([read]);
  });
  it('are joined in runs, in order', () => {
    const [done, other] = ['data: [DONE]\n\n', compatible({ role: 'assistant' })];
    expect(joined(other + content('a') + content('b') + other + content('c') + content('d') + done)).toEqual([
      other + content('ab') + other + content('cd') + done,
    ]);
  });
  it('have bounded text when joined', () => {
    const [read] = joined(content('x'.repeat(10_000)).repeat(10));
    expect(read).toBe(content('x'.repeat(20_000)).repeat(5));
  });
});

describe('a stream that is read in pieces', () => {
  const all = content('One ') + content('two ') + content('three 👍') + compatible({}, { finish_reason: 'stop' });
  const textIn = (events: string) => [...events.matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text).join('');

  it('passes on each byte at once, wherever it is cut', () => {
    const bytes = Buffer.from(all);
    for (let at = 1; at < bytes.length; at++) {
      const events = new JoinedEvents();
      const first = events.add(bytes.subarray(0, at));
      const whole = bytes.subarray(0, at).lastIndexOf('\n\n') + 2;
      // The text after the last complete event is not held back.
      if (whole > 1) expect(first.subarray(first.lastIndexOf('\n\n') + 2)).toEqual(bytes.subarray(whole, at));
      const second = events.add(bytes.subarray(at));
      const result = Buffer.concat([first, second]).toString();
      expect(textIn(result)).toBe('One two three 👍');
      for (const line of result.split('\n\n').filter((each) => each !== ''))
        expect(() => JSON.parse(line.slice('data: '.length))).not.toThrow();
    }
  });
  it('does not join the rest of an event with others', () => {
    expect(joined(content('a').slice(0, 20), content('a').slice(20) + content('b') + content('c'))).toEqual([
      content('a').slice(0, 20),
      content('a').slice(20) + content('bc'),
    ]);
  });
});
