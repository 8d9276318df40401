import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { recordOf } from '../migrate/source/records.ts';
import { RelatedDocuments } from './related-documents.ts';

describe('the related documents of an export', () => {
  let documents: RelatedDocuments;
  const add = (user: string, conversation: string, id: string, more: object = {}) => {
    const item = {
      PK: user,
      SK: `${user}#RELATED_DOCUMENT#${conversation}#${id}`,
      SourceName: 'a.pdf',
      SourceLink: 's3://kb/a.pdf',
      ...more,
    };
    documents.add(recordOf(item)!, { file: 'f', line: 4 });
  };
  const idsOf = (user: string, conversation: string) => documents.of(user, conversation).map(({ id }) => id);
  beforeEach(() => {
    documents = new RelatedDocuments();
  });
  afterEach(() => documents.close());

  it('are found by their conversation, in the order of their numbers', () => {
    for (const id of ['t@10', 't@2', 't@0']) add('u', 'c', id);
    add('u', 'other', 't@1');
    add('v', 'c', 't@3');
    expect(idsOf('u', 'c')).toEqual(['t@0', 't@2', 't@10']);
  });
  it('belong to users and have IDs with any characters', () => {
    add('PUBLISHED_API#b', 'c', 'tooluse_a#b@0');
    expect(idsOf('PUBLISHED_API#b', 'c')).toEqual(['tooluse_a#b@0']);
  });
  it('are stored once if two tables have them', () => {
    for (let index = 0; index < 2; index++) add('u', 'c', 't@0');
    expect(idsOf('u', 'c')).toEqual(['t@0']);
  });
  it('have text or JSON as content, and mark any other content as no text', () => {
    add('u', 'c', 't@0', { Content: { text: 'Blue.' }, PageNumber: '3' });
    add('u', 'c', 't@1', { Content: { json: { why: 'waves' } } });
    add('u', 'c', 't@2', { Content: { format: 'png', image: 'AAAA' }, SourceName: null, SourceLink: null });
    expect(documents.of('u', 'c')).toMatchObject([
      { content: 'Blue.', page: 3, name: 'a.pdf', link: 's3://kb/a.pdf', file: 'f', line: 4, hasText: true },
      { content: '{"why":"waves"}', page: null, hasText: true },
      { content: '', name: '', link: '', hasText: false },
    ]);
  });
});
