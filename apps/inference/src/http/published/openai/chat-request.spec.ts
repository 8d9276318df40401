import { describe, expect, it } from '@jest/globals';
import { MAX_TEXT_BYTES } from '../../bodies/message-body.ts';
import { chatRequestOf } from './chat-request.ts';

const png = 'data:image/png;base64,iVBORw0KGgo=';
const user = (content: unknown) => ({ role: 'user', content });
const parsed = (messages: unknown, more: object = {}) => chatRequestOf({ messages, ...more });

describe('a request for a chat completion', () => {
  it('asks the last message of the user, after the earlier ones', () => {
    expect(parsed([user('One.'), { role: 'assistant', content: 'Two.' }, user('Three?')])).toEqual({
      model: null,
      questionField: 'messages',
      text: 'Three?',
      files: [],
      terms: {
        turns: [
          { role: 'user', text: 'One.' },
          { role: 'assistant', text: 'Two.' },
        ],
      },
      parameters: {},
      reasoning: false,
      isStreamed: false,
      includesUsage: false,
    });
  });

  it('has no terms if the client sends only a question', () => {
    expect(parsed([user('Why?')]).terms).toBeNull();
  });

  it('passes tool calls and results of other models as text', () => {
    const called = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
    };
    const { terms } = parsed([user('1+1?'), called, { role: 'tool', tool_call_id: 'c1', content: '2' }, user('So?')]);
    expect(terms?.turns?.slice(1)).toEqual([
      { role: 'assistant', text: 'Tool call c1: add({"a":1})' },
      { role: 'user', text: 'Result of the tool call c1:\n2' },
    ]);
  });

  it('has the files of all messages, and each turn names its own', () => {
    const image = { type: 'image_url', image_url: { url: png, detail: 'low' } };
    const file = { type: 'file', file: { filename: '../a/b.txt', file_data: 'data:text/plain;base64,aGk=' } };
    const { files, terms } = parsed([user([image, { type: 'text', text: 'This?' }]), { role: 'assistant', content: 'A.' }, user([file])]);
    expect(files).toEqual([
      { kind: 'image', path: 'messages[0].content[0].image_url.url', body: 'iVBORw0KGgo=' },
      { kind: 'attachment', path: 'messages[2].content[0].file.file_data', body: 'aGk=', name: '.._a_b.txt' },
    ]);
    expect(terms?.turns?.[0]).toEqual({ role: 'user', text: 'This?', files: [0] });
  });

  it.each([
    [{ max_tokens: 5 }, { maxTokens: 5 }],
    [{ max_tokens: 5, max_completion_tokens: 7 }, { maxTokens: 7 }],
    [
      { temperature: 0, top_p: 0.5 },
      { temperature: 0, topP: 0.5 },
    ],
    [{ temperature: null, top_p: null, max_tokens: null }, {}],
  ])('takes the parameters %j', (fields, parameters) => {
    expect(parsed([user('Why?')], fields).parameters).toEqual(parameters);
  });

  it.each([
    ['END', ['END']],
    [
      ['END', '###'],
      ['END', '###'],
    ],
  ])('takes the stop sequences %j', (stop, stopSequences) => {
    expect(parsed([user('Why?')], { stop }).terms).toEqual({ stopSequences });
  });

  it.each([
    ['high', true],
    ['low', true],
    ['minimal', false],
    ['none', false],
    [null, false],
  ])('lets the model reason with the effort %s: %s', (reasoning_effort, reasoning) => {
    expect(parsed([user('Why?')], { reasoning_effort }).reasoning).toBe(reasoning);
  });

  it.each([
    ['an empty question', [{ role: 'system', content: 'Hi' }, user(' ')], 'messages[1].content'],
    ['no question', [user('One.'), { role: 'assistant', content: 'Two.' }], 'messages[1].role'],
    ['instructions alone', [{ role: 'system', content: 'Hi' }], 'messages'],
    ['no messages', [], 'messages'],
    ['content that is neither a text nor a list', [user(5)], 'messages[0].content'],
    ['a part without a type', [user([{ type: 'text', text: 'Hi' }, { text: 'Why?' }])], 'messages[0].content[1].type'],
    ['a part whose text is no text', [user([{ type: 'text', text: 5 }])], 'messages[0].content[0].text'],
    ['too long texts', [{ role: 'system', content: 'x'.repeat(MAX_TEXT_BYTES) }, user('Why?')], 'messages'],
    ['an image of the system', [{ role: 'system', content: [{ type: 'image_url' }] }, user('Why?')], 'messages[0].content[0].type'],
    [
      'an image of the assistant',
      [{ role: 'assistant', content: [{ type: 'image_url', image_url: { url: png } }] }, user('Why?')],
      'messages[0].content',
    ],
    ['a part of another type', [user([{ type: 'input_audio' }])], 'messages[0].content[0].type'],
    ['a file by its ID', [user([{ type: 'file', file: { file_id: 'file-1' } }])], 'messages[0].content[0].file.file_data'],
  ])('is refused with %s', (_, messages, path) => {
    expect(() => parsed(messages)).toThrow(
      expect.objectContaining({ code: 'invalid_body', facts: expect.objectContaining({ errors: [expect.objectContaining({ path })] }) }),
    );
  });

  it.each([
    ['five sequences', ['1', '2', '3', '4', '5'], 'stop'],
    ['an empty sequence', ['1', ''], 'stop[1]'],
    ['a number', 5, 'stop'],
  ])('is refused if stop has %s', (_, stop, path) => {
    expect(parsed([user('Why?')], { stop: ['1', '2', '3', '4'] }).terms?.stopSequences).toHaveLength(4);
    expect(() => parsed([user('Why?')], { stop })).toThrow(
      expect.objectContaining({ code: 'invalid_body', facts: { errors: [expect.objectContaining({ path })] } }),
    );
  });

  it('is refused if the body is not an object', () => {
    for (const body of [null, [], 'text', 5]) expect(() => chatRequestOf(body)).toThrow(expect.objectContaining({ code: 'invalid_body' }));
  });
});
