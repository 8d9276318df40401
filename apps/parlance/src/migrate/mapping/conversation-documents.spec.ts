import { describe, expect, it } from '@jest/globals';
import type { FoundDocument } from '../source/related-documents.ts';
import { ConversationDocuments } from './conversation-documents.ts';

const document = (id: string, more: Partial<FoundDocument> = {}): FoundDocument => {
  return { id, name: id, link: '', page: null, content: id, file: 'f', line: 1, hasText: true, ...more };
};
const call = (tool_use_id: string, content: unknown = []) => ({
  thinking_log: [
    { role: 'assistant', content: [{ content_type: 'toolUse', body: { tool_use_id, name: 'knowledge_base_tool', input: {} } }] },
    { role: 'user', content: [{ content_type: 'toolResult', body: { tool_use_id, content, status: 'success' } }] },
  ],
});
const idsOf = (documents: readonly { readonly id: string }[]) => documents.map(({ id }) => id);

describe('the documents of a reply', () => {
  it('are the documents that its tools have found', () => {
    const documents = new ConversationDocuments([document('t1@0'), document('t1@1'), document('t2@0')]);
    expect(idsOf(documents.of('reply', call('t1'), ''))).toEqual(['t1@0', 't1@1']);
    expect(idsOf(documents.unused)).toEqual(['t2@0']);
  });
  it('are the documents that were found without a tool', () => {
    expect(idsOf(new ConversationDocuments([document('reply@0'), document('other@0')]).of('reply', {}, ''))).toEqual(['reply@0']);
  });
  it('include cited documents of an earlier reply', () => {
    const documents = new ConversationDocuments([document('t1@0'), document('t1@1')]);
    expect(idsOf(documents.of('later', {}, 'As said[^t1@1].'))).toEqual(['t1@1']);
  });
  it.each([
    ['results of their own', [{ json: { source_id: 't1@0', content: 'from the log' } }]],
    ['one text', [{ text: JSON.stringify([{ source_id: 't1@0', content: 'from the log' }]) }]],
  ])('are read from the log of the reply where the item is missing, as %s', (_, content) => {
    const [found] = new ConversationDocuments([]).of('reply', call('t1', content), 'Blue[^t1@0].');
    expect(found).toMatchObject({ id: 't1@0', content: 'from the log' });
  });
  it('are reported if their content is not text', () => {
    const documents = new ConversationDocuments([document('t1@0', { hasText: false })]);
    documents.of('reply', call('t1'), '');
    expect(idsOf(documents.withoutText)).toEqual(['t1@0']);
  });
});
