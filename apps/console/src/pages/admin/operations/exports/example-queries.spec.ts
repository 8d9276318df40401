import { exampleQueries } from './example-queries.ts';

describe('example queries', () => {
  it('read the table of the installation', () => {
    for (const sql of Object.values(exampleQueries('test_parlance_conversations')))
      expect(sql).toContain('FROM test_parlance_conversations');
  });
  it('quote a name that begins with a digit', () => expect(exampleQueries('2_conversations').days).toContain('FROM "2_conversations"'));
});
