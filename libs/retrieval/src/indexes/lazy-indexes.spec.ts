import { describe, expect, it } from '@jest/globals';
import { IndexMissing } from './errors.ts';
import type { KnowledgeIndexes } from './knowledge-indexes.ts';
import { LazyIndexes } from './lazy-indexes.ts';

const name = { botId: 'b', generation: 'g' };
const search = { text: 'x', vector: null, type: 'lexical', limit: 1 } as const;

function lazy(isThere: boolean) {
  const calls: string[] = [];
  const opened = new Proxy({} as KnowledgeIndexes, {
    get: (_, method) => (method === 'then' ? undefined : async () => void calls.push(String(method))),
  });
  let opens = 0;
  const open = async () => {
    opens++;
    if (opens === 1 && !isThere) throw new Error('not now');
    return opened;
  };
  return { indexes: new LazyIndexes({ open, exists: () => isThere }), calls, opens: () => opens };
}

describe('an adapter that is opened on demand', () => {
  it('is not opened to look for indexes that cannot exist', async () => {
    const { indexes, opens } = lazy(false);
    expect([await indexes.list(null, 10), await indexes.describe(name)]).toEqual([[], null]);
    await indexes.remove(name);
    await expect(indexes.search(name, search)).rejects.toThrow(IndexMissing);
    await expect(indexes.sources(name, null, 1)).rejects.toThrow(IndexMissing);
    await expect(indexes.chunksOf(name, 's', null, 1)).rejects.toThrow(IndexMissing);
    await indexes.close();
    expect(opens()).toBe(0);
  });
  it('is opened once for a build, and again after a failure', async () => {
    const { indexes, calls, opens } = lazy(false);
    await expect(indexes.build(name, { dimensions: null, embeddingModel: null })).rejects.toThrow('not now');
    await indexes.build(name, { dimensions: null, embeddingModel: null });
    await indexes.search(name, search);
    await indexes.close();
    expect([calls, opens()]).toEqual([['build', 'search', 'close'], 2]);
  });
  it('is opened if there are indexes', async () => {
    const { indexes, calls } = lazy(true);
    await indexes.list(null, 1);
    await indexes.describe(name);
    await indexes.remove(name);
    expect(calls).toEqual(['list', 'describe', 'remove']);
  });
});
