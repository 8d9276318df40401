import { describe, expect, it } from '@jest/globals';
import { conversationOf } from './conversation.ts';
import { LeftOut, type Note } from './note.ts';

const [Q, A] = ['01JH6R5E00EY448H9GBZWJ1JTJ', '01JH6R5E01EY448H9GBZWJ1JTK'];
const text = (body: string) => [{ content_type: 'text', body }];
const map = (more: object = {}) => ({
  system: { role: 'system', content: [], parent: null, create_time: 1 },
  [Q]: { role: 'user', content: text('Why?'), model: 'm', parent: 'system', create_time: 1_741_089_600.5 },
  [A]: { role: 'assistant', content: text('So.'), model: 'm', parent: Q, create_time: 1_741_089_601 },
  ...more,
});
const item = (more: object = {}) => {
  return { Title: 'Sky', CreateTime: '1741089600', TotalPrice: '0.5', LastMessageId: A, MessageMap: JSON.stringify(map()), ...more };
};
const mapped = (raw: object, notes: Note[] = []) => conversationOf('c', { ...raw }, { userId: 'u' }, notes);
const withMap = (more: object, notes: Note[] = []) => mapped(item({ MessageMap: JSON.stringify(map(more)) }), notes);

describe('a conversation of the source', () => {
  it('has its messages in the order of their times, with milliseconds', () => {
    const { messages, cost_nano_dollars, last_message_id, last_message_at } = mapped(item());
    expect(messages).toMatchObject([
      { id: Q, role: 'user', parent: null, at: 1_741_089_600_500, text: 'Why?' },
      { id: A, role: 'assistant', parent: Q, text: 'So.' },
    ]);
    expect([cost_nano_dollars, last_message_id, last_message_at]).toEqual([500_000_000, A, 1_741_089_601_000]);
  });
  it('gets derived IDs for messages whose keys are not ULIDs, also as parents', () => {
    const { messages } = withMap({
      one: { role: 'user', content: 'old form', parent: A, create_time: 1_741_089_700 },
      two: { role: 'assistant', content: text('x'), parent: 'one', create_time: 1_741_089_701 },
    });
    expect(messages[2]).toMatchObject({ parent: A, text: 'old form' });
    expect(messages[3]!.parent).toBe(messages[2]!.id);
  });
  it('is continued at the message that the source names, or else at the newest one', () => {
    const { last_message_id, last_message_at } = mapped(item({ LastMessageId: Q }));
    expect([last_message_id, last_message_at]).toEqual([Q, 1_741_089_601_000]);
    expect(mapped(item({ LastMessageId: 'gone' })).last_message_id).toBe(A);
  });
  it('has the model of its newest message', () => {
    const newest = { role: 'user', content: text('And?'), model: 'newer', parent: A, create_time: 2e9 };
    expect(withMap({ newest }).model).toBe('newer');
  });
  it('may have times in milliseconds', () => {
    expect(mapped(item({ CreateTime: '1741089600123' })).started_at).toBe(1_741_089_600_123);
    expect(mapped(item({ CreateTime: '1741089600' })).started_at).toBe(1_741_089_600_000);
  });
  it('has the messages of its file if the source stores them in one', () => {
    const messageMap = JSON.stringify({ [Q]: { role: 'user', content: text('Long.'), model: 'm', parent: null, create_time: 1 } });
    expect(conversationOf('c', item(), { userId: 'u', messageMap }, []).messages.map((message) => message.text)).toEqual(['Long.']);
  });
  it('gets different IDs if two users have the same ID', () => {
    const idOf = (userId: string) => conversationOf('c', item(), { userId }, []).id;
    expect(idOf('u')).toBe(idOf('u'));
    expect(idOf('u')).not.toBe(idOf('v'));
  });
  it('may have messages without a text', () => {
    const image = { content_type: 'image', media_type: 'image/png', body: 'AAAA' };
    expect(withMap({ [A]: { role: 'user', content: [image], parent: Q, create_time: 2e9 } }).messages[1]!.text).toBeNull();
  });
  it('keeps the extension of a file name', () => {
    const file = { content_type: 'attachment', file_name: `${'a'.repeat(300)}.pdf`, body: 'BBBB' };
    const { messages } = withMap({ [A]: { role: 'user', content: [file], parent: Q, create_time: 2e9 } });
    expect(messages[1]!.files).toEqual([{ kind: 'attachment', name: `${'a'.repeat(251)}.pdf`, body: 'BBBB' }]);
  });
  it('has the readable name of a file', () => {
    const file = { content_type: 'attachment', file_name: 'Q3%20report.csv', body: 'BBBB' };
    const { messages } = withMap({ [A]: { role: 'user', content: [file], parent: Q, create_time: 2e9 } });
    expect(messages[1]!.files).toMatchObject([{ name: 'Q3 report.csv' }]);
  });
  it('reports left out messages, and messages without their parent', () => {
    const notes: Note[] = [];
    const { messages } = withMap({ bad: 7, lost: { role: 'user', content: text('x'), parent: 'gone', create_time: 2e9 } }, notes);
    expect(notes.map(({ reason }) => reason)).toEqual(['message_invalid', 'parent_missing']);
    expect(messages.at(-1)).toMatchObject({ parent: null, model: 'unknown' });
  });
  it('keeps reasoning, calls of tools, files, sources and ratings', () => {
    const tool = { content_type: 'toolUse', body: { tool_use_id: 't', name: 'search', input: { q: 'sky' } } };
    const result = { content_type: 'toolResult', body: { tool_use_id: 't', content: { text: 'blue' }, status: 'success' } };
    const content = [
      { content_type: 'reasoning', text: 'Hm.' },
      { content_type: 'image', media_type: 'image/png', body: 'AAAA' },
      { content_type: 'attachment', file_name: 'a.pdf', body: 'BBBB' },
      { content_type: 'textAttachment', file_name: 'a.txt', body: 'hi' },
      ...text('Blue.'),
    ];
    const { messages } = withMap({
      [A]: {
        role: 'assistant',
        content,
        parent: Q,
        create_time: 2e9,
        feedback: { thumbs_up: false, category: 'wrong', comment: '' },
        used_chunks: [{ content: 'c', source: 'https://example.com/sky', rank: 0 }],
        thinking_log: [
          { role: 'assistant', content: [tool] },
          { role: 'user', content: [result] },
        ],
      },
    });
    expect(messages[1]).toMatchObject({
      text: 'Blue.',
      reasoning: 'Hm.\nTool search: {"q":"sky"}\nResult (success): blue',
      files: [
        { kind: 'image', body: 'AAAA' },
        { kind: 'attachment', name: 'a.pdf', body: 'BBBB' },
        { kind: 'attachment', name: 'a.txt', body: 'aGk=' },
      ],
      chunks: [{ source: 'https://example.com/sky', source_name: 'sky', rank: 1 }],
      feedback: { thumbs_up: false, category: 'wrong', comment: null },
    });
  });
  it('reports what cannot be imported', () => {
    const notes: Note[] = [];
    const image = {
      content_type: 'toolResult',
      body: { tool_use_id: 't', content: [{ format: 'png', image: 'AAAA' }], status: 'success' },
    };
    const message = { role: 'assistant', content: [{ content_type: 'video', body: '' }, image], parent: Q, create_time: 2e9 };
    mapped(item({ Title: 't'.repeat(101), ShouldContinue: true, MessageMap: JSON.stringify(map({ [A]: message })) }), notes);
    expect(notes.map(({ reason }) => reason)).toEqual([
      'content_type_unknown',
      'tool_result_file_not_taken',
      'should_continue_not_taken',
      'title_shortened',
    ]);
  });
  it('has the documents that its replies cite, and reports the other documents', () => {
    const notes: Note[] = [];
    const document = { name: 'a.pdf', link: 's3://kb/a.pdf', page: 3, content: 'It scatters.', file: 'f', line: 7, hasText: true };
    const documents = [
      { ...document, id: 'tooluse_a@0' },
      { ...document, id: 'tooluse_b@0' },
    ];
    const MessageMap = JSON.stringify(
      map({ [A]: { role: 'assistant', content: text('Blue[^tooluse_a@0].'), parent: Q, create_time: 2e9 } }),
    );
    const { messages } = conversationOf('c', item({ MessageMap }), { userId: 'u', documents }, notes);
    expect(messages[1]).toMatchObject({ text: 'Blue[^1].', chunks: [{ rank: 1, content: 'It scatters.', page_number: 3 }] });
    expect(notes).toMatchObject([{ reason: 'related_document_not_taken', document: { id: 'tooluse_b@0', line: 7 } }]);
  });
  it.each([
    ['create_time_invalid', { CreateTime: 'x' }],
    ['total_price_invalid', { TotalPrice: '-1' }],
    ['message_map_invalid', { MessageMap: '[]' }],
    ['no_messages', { MessageMap: '{}' }],
  ])('is left out because of %s', (reason, more) => {
    expect(() => mapped(item(more))).toThrow(new LeftOut(reason));
  });
});
