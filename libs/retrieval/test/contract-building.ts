import { ok, rejects, strictEqual } from 'node:assert/strict';
import {
  BadChunk,
  BadIndexName,
  BuildLost,
  DuplicateChunk,
  ForeignIndex,
  IndexFinished,
  IndexMissing,
  WrongDimensions,
} from '../src/index.ts';
import { addTexts, chunk, finished, hitsOf, lexicalOnly, same, source, textsOf, vectorial } from './content.ts';
import type { IndexesCase } from './contract.ts';

const query = { text: 'heron', vector: null, type: 'lexical', limit: 5 } as const;

export const buildingCases: readonly IndexesCase[] = [
  {
    name: 'finds nothing in an index before it is finished, and all of it afterwards',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      await rejects(indexes.search(name, query), IndexMissing);
      const builder = await indexes.build(name, lexicalOnly);
      await addTexts(builder, 'a grey heron', 'a white heron');
      await rejects(indexes.search(name, query), IndexMissing);
      await rejects(indexes.sources(name, null, 10), IndexMissing);
      await rejects(indexes.chunksOf(name, 's0', null, 10), IndexMissing);
      strictEqual(await indexes.describe(name), null);
      same(await builder.finish(), { sources: 2, chunks: 2 });
      same(textsOf(await hitsOf(indexes, name, 'heron')), ['a grey heron', 'a white heron']);
      const { bytes, ...described } = (await indexes.describe(name))!;
      same(described, { chunks: 2, sources: 2, ...lexicalOnly });
      ok(bytes > 0);
    },
  },
  {
    name: 'finishes an empty index',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      const builder = await indexes.build(name, vectorial);
      await builder.add(source('empty'), []);
      same(await builder.finish(), { sources: 1, chunks: 0 });
      same(await hitsOf(indexes, name, 'heron', { vector: [1, 0, 0, 0] }), []);
      strictEqual((await indexes.sources(name, null, 10)).length, 1);
      // Also without any source: all pages of a site may have been removed.
      const bare = { botId, generation: 'h' };
      same(await (await indexes.build(bare, vectorial)).finish(), { sources: 0, chunks: 0 });
      same([await hitsOf(indexes, bare, 'heron', { vector: [1, 0, 0, 0] }), await indexes.sources(bare, null, 10)], [[], []]);
    },
  },
  {
    name: 'keeps bots and generations apart',
    async run(indexes, botId) {
      const names = [
        { botId, generation: 'g1' },
        { botId, generation: 'g2' },
        { botId: `${botId}-x`, generation: 'g1' },
      ];
      for (const [index, name] of names.entries()) await finished(indexes, name, `heron ${index}`);
      for (const [index, name] of names.entries()) same(textsOf(await hitsOf(indexes, name, 'heron')), [`heron ${index}`]);
      await rejects(indexes.search({ botId: `${botId}-x`, generation: 'g2' }, query), IndexMissing);
    },
  },
  {
    name: 'replaces an unfinished index and rejects its builder',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      const first = await indexes.build(name, lexicalOnly);
      await addTexts(first, 'a heron of the first build');
      const second = await indexes.build(name, lexicalOnly);
      await rejects(first.add(source('late'), [chunk('late', 0, 'a late heron')]), BuildLost);
      await rejects(first.finish(), BuildLost);
      await first.abandon();
      await addTexts(second, 'a heron of the second build');
      await second.finish();
      same(textsOf(await hitsOf(indexes, name, 'heron')), ['a heron of the second build']);
    },
  },
  {
    name: 'never changes a finished index',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      const builder = await indexes.build(name, lexicalOnly);
      await addTexts(builder, 'a heron');
      await builder.finish();
      await rejects(indexes.build(name, lexicalOnly), IndexFinished);
      await rejects(builder.add(source('late'), [chunk('late', 0, 'a late heron')]), BuildLost);
      await rejects(builder.finish(), BuildLost);
      await builder.abandon();
      same(textsOf(await hitsOf(indexes, name, 'heron')), ['a heron']);
    },
  },
  {
    name: 'removes finished, unfinished and absent indexes, and no others',
    async run(indexes, botId) {
      const [gone, stays] = [
        { botId, generation: 'g1' },
        { botId, generation: 'g2' },
      ];
      await finished(indexes, gone, 'heron one');
      await finished(indexes, stays, 'heron two');
      await hitsOf(indexes, gone, 'heron');
      await indexes.remove(gone);
      await indexes.remove(gone);
      await rejects(indexes.search(gone, query), IndexMissing);
      strictEqual(await indexes.describe(gone), null);
      const builder = await indexes.build(gone, lexicalOnly);
      await addTexts(builder, 'heron three');
      await indexes.remove(gone);
      await rejects(builder.finish(), BuildLost);
      const abandoned = await indexes.build(gone, lexicalOnly);
      await abandoned.abandon();
      await abandoned.abandon();
      const own = (await indexes.list(null, 1_000)).filter(({ name }) => name.botId === botId);
      same(
        own.map(({ name, finished: isFinished }) => ({ name, isFinished })),
        [{ name: stays, isFinished: true }],
      );
      same(textsOf(await hitsOf(indexes, stays, 'heron')), ['heron two']);
      // The name can be reused.
      await finished(indexes, gone, 'heron four');
      same(textsOf(await hitsOf(indexes, gone, 'heron')), ['heron four']);
    },
  },
  {
    name: 'can be searched while it is removed, and answers completely or not at all',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      await finished(indexes, name, ...Array.from({ length: 20 }, (_, index) => `heron ${index}`));
      const searches = Array.from({ length: 20 }, () => indexes.search(name, { ...query, limit: 20 }));
      const settled = Promise.allSettled(searches);
      await indexes.remove(name);
      for (const result of await settled) {
        if (result.status === 'fulfilled') strictEqual(result.value.hits.length, 20);
        else ok(result.reason instanceof IndexMissing, String(result.reason));
      }
    },
  },
  {
    name: 'lists finished and unfinished indexes, page by page',
    async run(indexes, botId) {
      const started = Date.now() - 5_000;
      const names = [
        { botId: `${botId}-`, generation: 'g' },
        { botId, generation: 'g-2' },
        { botId, generation: 'g' },
        { botId, generation: 'h' },
      ];
      for (const name of names.slice(0, 3)) await finished(indexes, name, 'a heron');
      const builder = await indexes.build(names[3]!, lexicalOnly);
      await addTexts(builder, 'a heron');
      const listed = [];
      for (let page = await indexes.list(null, 2); page.length > 0; page = await indexes.list(page.at(-1)!.name, 2)) listed.push(...page);
      const own = listed.filter(({ name }) => name.botId.startsWith(botId));
      same(
        own.map(({ name, finished: isFinished }) => ({ name, isFinished })),
        names.map((name, index) => ({ name, isFinished: index < 3 })),
      );
      for (const { modified } of own) ok(modified.getTime() >= started && modified.getTime() <= Date.now() + 5_000, modified.toISOString());
      await builder.abandon();
    },
  },
  {
    name: 'copies whole sources from another generation',
    async run(indexes, botId) {
      const [old, next] = [
        { botId, generation: 'g1' },
        { botId, generation: 'g2' },
      ];
      const first = await indexes.build(old, vectorial);
      const details = {
        kind: 'page',
        name: 'https://example.com/a',
        title: 'Birds',
        etag: '"e"',
        lastModified: 'then',
        hash: 'h',
      } as const;
      await first.add(source('a', details), [
        chunk('a', 0, 'a grey heron', { vector: [1, 0, 0, 0], parent: 'about herons', page_number: 3, heading: 'Herons' }),
      ]);
      await first.add(source('a', details), [chunk('a', 1, 'a stork', { vector: [0, 1, 0, 0] })]);
      await first.add(source("b'"), [chunk("b'", 0, 'a crane', { vector: [0, 0, 1, 0] })]);
      await first.finish();
      const second = await indexes.build(next, vectorial);
      same(await second.copy(old, ['a', 'absent', "b'"]), { sources: 2, chunks: 3 });
      await second.add(source('c'), [chunk('c', 0, 'a new heron', { vector: [0, 0, 0, 1] })]);
      same(await second.finish(), { sources: 3, chunks: 4 });
      await indexes.remove(old);
      same((await indexes.sources(next, null, 1))[0], { ...source('a', details), chunks: 2 });
      same((await indexes.sources(next, 'a', 10)).map(({ id, chunks }) => [id, chunks]), [["b'", 1], ['c', 1]]); // prettier-ignore
      const [best] = await hitsOf(indexes, next, 'stork', { vector: [1, 0, 0, 0], type: 'semantic', limit: 1 });
      const { id, parent, page_number: page, heading, sourceName, sourceTitle, kind } = best!;
      same(
        { id, parent, page, heading, sourceName, sourceTitle, kind },
        { id: 'a-0', parent: 'about herons', page: 3, heading: 'Herons', sourceName: details.name, sourceTitle: 'Birds', kind: 'page' },
      );
      const page1 = await indexes.chunksOf(next, 'a', null, 1);
      const page2 = await indexes.chunksOf(next, 'a', page1.next, 1);
      same([...page1.chunks, ...page2.chunks].map((each) => [each.chunk.text, [...each.vector!]]), [['a grey heron', [1, 0, 0, 0]], ['a stork', [0, 1, 0, 0]]]); // prettier-ignore
      strictEqual(page2.next, null);
      strictEqual((await indexes.chunksOf(next, 'absent', null, 1)).source, null);
    },
  },
  {
    name: 'refuses to copy from another bot, another model, and an unfinished index',
    async run(indexes, botId) {
      const foreign = { botId: `${botId}-x`, generation: 'g' };
      await finished(indexes, foreign, 'a heron');
      await finished(indexes, { botId, generation: 'g1' }, 'a heron');
      const builder = await indexes.build({ botId, generation: 'g2' }, vectorial);
      await rejects(builder.copy(foreign, ['s0']), ForeignIndex);
      await rejects(builder.copy({ botId, generation: 'g1' }, ['s0']), WrongDimensions);
      await rejects(builder.copy({ botId, generation: 'g2' }, ['s0']), IndexMissing);
      await builder.abandon();
    },
  },
  {
    name: 'refuses invalid chunks and invalid names',
    async run(indexes, botId) {
      const builder = await indexes.build({ botId, generation: 'g' }, vectorial);
      const add = (...chunks: Parameters<typeof builder.add>[1]) => builder.add(source('a'), chunks);
      await rejects(add(chunk('a', 0, 'no vector')), WrongDimensions);
      await rejects(add(chunk('a', 0, 'short', { vector: [1] })), WrongDimensions);
      await rejects(add(chunk('a', 0, 'not finite', { vector: [1, 0, 0, NaN] })), WrongDimensions);
      await rejects(add(chunk('b', 0, 'of another source', { vector: [1, 0, 0, 0] })), BadChunk);
      await rejects(add(chunk('a', 0, 'no id', { id: '', vector: [1, 0, 0, 0] })), BadChunk);
      await add(chunk('a', 0, 'first', { vector: [1, 0, 0, 0] }));
      const twice = async () => {
        await add(chunk('a', 0, 'second', { vector: [1, 0, 0, 0] }));
        await builder.finish();
      };
      await rejects(twice(), DuplicateChunk);
      await builder.abandon();
      for (const bad of ['', '..', 'a/b', 'a.b', 'a b', 'ä', 'a\0', 'x'.repeat(65)]) {
        for (const name of [
          { botId: bad, generation: 'g' },
          { botId, generation: bad },
        ]) {
          // prettier-ignore
          await rejects(async () => indexes.build(name, lexicalOnly), BadIndexName);
          await rejects(async () => indexes.search(name, query), BadIndexName);
          await rejects(async () => indexes.describe(name), BadIndexName);
          await rejects(async () => indexes.remove(name), BadIndexName);
        }
      }
    },
  },
];
