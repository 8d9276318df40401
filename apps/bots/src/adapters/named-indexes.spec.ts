import { describe, expect, it } from '@jest/globals';
import { named, released } from '@parlance/object-store';
import { knowledgeStream } from '../domain/knowledge/knowledge-sync.ts';
import { namedObjects } from './named-indexes.ts';

describe('the objects that events of bots name', () => {
  const namedBy = (event: { readonly type: string; readonly generation?: string | null }) => namedObjects(knowledgeStream('bot'), event);
  const before = released('knowledge-indexes/bot.');

  it('are the indexes of the last successful runs', () => {
    expect(namedBy({ type: 'SyncSucceeded', generation: 'g' })).toEqual([before, named('knowledge-indexes/bot.g.lance/')]);
    expect(namedBy({ type: 'SyncSucceeded', generation: null })).toEqual([before]);
    expect(namedBy({ type: 'SyncFailed' })).toEqual([]);
  });
  it('may be removed with the knowledge of a bot', () => expect(namedBy({ type: 'KnowledgeRemoved' })).toEqual([before]));
});
