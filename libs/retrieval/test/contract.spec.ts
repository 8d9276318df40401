import { describe, expect, it } from '@jest/globals';
import { type IndexBuilder, type IndexName, IndexMissing, KnowledgeIndexes } from '../src/index.ts';
import { knowledgeIndexesCases } from './contract.ts';
import { sqlitePlace } from './places.ts';

/** Passes every call to a correct adapter. A test overrides one of them. */
class Passing extends KnowledgeIndexes {
  constructor(protected readonly inner: KnowledgeIndexes) {
    super();
  }
  build: KnowledgeIndexes['build'] = (name, options) => this.inner.build(name, options);
  search: KnowledgeIndexes['search'] = (name, search) => this.inner.search(name, search);
  describe: KnowledgeIndexes['describe'] = (name) => this.inner.describe(name);
  sources: KnowledgeIndexes['sources'] = (name, after, limit) => this.inner.sources(name, after, limit);
  chunksOf: KnowledgeIndexes['chunksOf'] = (name, sourceId, after, limit) => this.inner.chunksOf(name, sourceId, after, limit);
  remove: KnowledgeIndexes['remove'] = (name) => this.inner.remove(name);
  list: KnowledgeIndexes['list'] = (after, limit) => this.inner.list(after, limit);
  close: KnowledgeIndexes['close'] = () => this.inner.close();
}

type Change = (indexes: Passing, inner: KnowledgeIndexes) => void;

async function failuresOf(change: Change): Promise<string[]> {
  const place = await sqlitePlace();
  const indexes = new Passing(place.indexes);
  change(indexes, place.indexes);
  const failed: string[] = [];
  for (const [index, { name, run }] of knowledgeIndexesCases.entries()) await run(indexes, `bot${index}`).catch(() => failed.push(name));
  await place.remove();
  return failed;
}

/** Replaces one method of every build's builder. */
const withBuilder = (replace: (builder: IndexBuilder, name: IndexName, inner: KnowledgeIndexes) => Partial<IndexBuilder>): Change => {
  return (indexes, inner) => {
    indexes.build = async (name, options) => {
      const builder = await inner.build(name, options);
      const methods = { add: builder.add.bind(builder), copy: builder.copy.bind(builder), finish: builder.finish.bind(builder) };
      return { ...methods, abandon: builder.abandon.bind(builder), ...replace(builder, name, inner) };
    };
  };
};

describe('the contract of knowledge indexes', () => {
  it('is met by a correct adapter', async () => expect(await failuresOf(() => undefined)).toEqual([]));

  it.each<[string, string, Change]>([
    [
      'serves nothing instead of refusing what is unfinished',
      'finds nothing in an index before it is finished, and all of it afterwards',
      (indexes, inner) => {
        indexes.search = (name, search) =>
          inner.search(name, search).catch((error) => {
            if (error instanceof IndexMissing) return { hits: [], type: 'lexical' as const };
            throw error;
          });
      },
    ],
    [
      'serves another generation of the bot',
      'keeps bots and generations apart',
      (indexes, inner) => {
        indexes.search = (name, search) => inner.search({ ...name, generation: name.generation === 'g2' ? 'g1' : name.generation }, search);
      },
    ],
    [
      'serves another bot',
      'keeps bots and generations apart',
      (indexes, inner) => {
        indexes.search = (name, search) => inner.search({ ...name, botId: name.botId.replace('-x', '') }, search);
      },
    ],
    [
      'loses copies',
      'copies whole sources from another generation',
      withBuilder(() => ({ copy: async () => ({ sources: 2, chunks: 3 }) })),
    ],
    [
      'copies from any bot',
      'refuses to copy from another bot, another model, and an unfinished index',
      withBuilder((builder, name) => ({ copy: (from, ids) => builder.copy({ ...from, botId: name.botId }, ids) })),
    ],
    [
      'keeps abandoned builds',
      'removes finished, unfinished and absent indexes, and no others',
      withBuilder(() => ({ abandon: async () => undefined })),
    ],
    [
      'removes nothing',
      'removes finished, unfinished and absent indexes, and no others',
      (indexes) => (indexes.remove = async () => undefined),
    ],
    [
      'lists finished indexes only',
      'lists finished and unfinished indexes, page by page',
      (indexes, inner) => {
        indexes.list = async (after, limit) => (await inner.list(after, limit)).filter(({ finished }) => finished);
      },
    ],
    [
      'replaces finished indexes',
      'never changes a finished index',
      (indexes, inner) => {
        indexes.build = async (name, options) => {
          await inner.remove(name);
          return inner.build(name, options);
        };
      },
    ],
    [
      'ignores vectors',
      'finds by vectors of any length, and fuses both lists',
      (indexes, inner) => (indexes.search = (name, search) => inner.search(name, { ...search, vector: null })),
    ],
    [
      'hides that it has no vectors',
      'reports when it searched only by words',
      (indexes, inner) => (indexes.search = async (name, search) => ({ ...(await inner.search(name, search)), type: search.type })),
    ],
    [
      'orders randomly',
      'orders equal scores by id, and returns no more than requested',
      (indexes, inner) => {
        indexes.search = async (name, search) => {
          const { hits, type } = await inner.search(name, search);
          return { hits: [...hits].reverse(), type };
        };
      },
    ],
    [
      'forgets parents',
      'shows the best child of each parent, with the text of the parent',
      withBuilder((builder) => ({
        add: (source, chunks) => builder.add(source, chunks.map(({ chunk, vector }) => ({ vector, chunk: { ...chunk, parent: null } }))), // prettier-ignore
      })),
    ],
    [
      'forgets headings',
      'weighs the title of a source and the heading of a chunk',
      withBuilder((builder) => ({
        add: (source, chunks) => builder.add(source, chunks.map(({ chunk, vector }) => ({ vector, chunk: { ...chunk, heading: null } }))), // prettier-ignore
      })),
    ],
  ])('catches an adapter that %s', async (_, sentence, change) => expect(await failuresOf(change)).toContain(sentence));
});
