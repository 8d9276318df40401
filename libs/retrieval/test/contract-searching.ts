import { ok, rejects, strictEqual } from 'node:assert/strict';
import { WrongDimensions } from '../src/index.ts';
import { chunk, finished, hitsOf, same, source, textsOf, vectorial } from './content.ts';
import type { IndexesCase } from './contract.ts';

export const searchingCases: readonly IndexesCase[] = [
  {
    name: 'finds any of the words by their stem, ignoring case and accents',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      await finished(indexes, name, 'The Café was closed.', 'He runs daily', 'Nothing else', 'unrelated', 'more of the unrelated');
      same(textsOf(await hitsOf(indexes, name, 'CAFE')), ['The Café was closed.']);
      same(textsOf(await hitsOf(indexes, name, 'running')), ['He runs daily']);
      same(textsOf(await hitsOf(indexes, name, 'cafes running zebra')).sort(), ['He runs daily', 'The Café was closed.']);
      same(await hitsOf(indexes, name, 'zebra'), []);
    },
  },
  {
    name: 'finds words by their stem in the language of their text',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      const texts = [
        'Die Häuser sind in der Liste der Anlage.',
        'Der Vertrag ist von den beiden Seiten zu kündigen.',
        'The houses are in the list of the annex.',
        'Les chevaux sont dans les prés de la commune.',
        'Häuser',
      ];
      await finished(indexes, name, ...texts);
      same(textsOf(await hitsOf(indexes, name, 'Haus')), [texts[0]]);
      same(textsOf(await hitsOf(indexes, name, 'Was steht in den Verträgen?')), [texts[1]]);
      same(textsOf(await hitsOf(indexes, name, 'house')), [texts[2]]);
      same(textsOf(await hitsOf(indexes, name, 'cheval')), [texts[3]]);
      // A text too short to detect its language is found by the literal word.
      same(textsOf(await hitsOf(indexes, name, 'häuser')).sort(), [texts[0], texts[4]].sort());
    },
  },
  {
    name: 'finds words of scripts without spaces',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      const texts = ['東京都に住んでいます', '京都の寺', '서울특별시는 수도입니다', 'ประเทศไทยมีอากาศร้อน', 'plain words'];
      await finished(indexes, name, ...texts);
      same(textsOf(await hitsOf(indexes, name, '東京')), [texts[0]]);
      same(textsOf(await hitsOf(indexes, name, '寺')), [texts[1]]);
      same(textsOf(await hitsOf(indexes, name, '서울')), [texts[2]]);
      same(textsOf(await hitsOf(indexes, name, 'อากาศ')), [texts[3]]);
      same(textsOf(await hitsOf(indexes, name, 'plain 寺')).sort(), [texts[4], texts[1]].sort());
    },
  },
  {
    name: 'treats every query as words, even one in a query language',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      await finished(indexes, name, 'a grey heron', 'a stork', 'head of state', 'near the pond');
      for (const text of [
        '"',
        "'",
        '""" heron',
        'heron AND (',
        'NOT heron',
        'head: heron*',
        'NEAR(heron',
        '^heron',
        '{head} : heron',
        'heron\0',
        '+heron -stork',
        'heron~2',
      ])
        // prettier-ignore
        for (const { text: found } of await hitsOf(indexes, name, text)) ok(typeof found === 'string');
      same(textsOf(await hitsOf(indexes, name, 'NOT heron')), ['a grey heron']);
      for (const text of ['', '   ', '?!', '\0']) same(await hitsOf(indexes, name, text), []);
      same(textsOf(await hitsOf(indexes, name, `${'filler '.repeat(100_000)}`)), []);
      const many = Array.from({ length: 1_000 }, (_, index) => `w${index}`).join(' ');
      same(textsOf(await hitsOf(indexes, name, `heron ${many}`)), ['a grey heron']);
    },
  },
  {
    name: 'weighs the title of a source and the heading of a chunk',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      const builder = await indexes.build(name, { dimensions: null, embeddingModel: null });
      await builder.add(source('a', { title: 'Birds' }), [chunk('a', 0, 'once heron and other words that stand here')]);
      await builder.add(source('b', { title: 'Heron' }), [chunk('b', 0, 'the bird and other words that stand here')]);
      await builder.add(source('c', { title: 'Ponds' }), [
        chunk('c', 0, 'the nest and other words that stand here', { heading: 'Storks' }),
      ]);
      await builder.add(source('d', { name: 'pelican.pdf' }), [chunk('d', 0, 'the boat and other words that stand here')]);
      for (let index = 0; index < 10; index++) await builder.add(source(`x${index}`), [chunk(`x${index}`, 0, 'something else entirely')]);
      await builder.finish();
      same((await hitsOf(indexes, name, 'heron')).map(({ sourceId }) => sourceId), ['b', 'a']); // prettier-ignore
      same((await hitsOf(indexes, name, 'stork')).map(({ sourceId }) => sourceId), ['c']); // prettier-ignore
      same((await hitsOf(indexes, name, 'pelican')).map(({ sourceId }) => sourceId), ['d']); // prettier-ignore
    },
  },
  {
    name: 'finds by vectors of any length, and fuses both lists',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      const builder = await indexes.build(name, vectorial);
      const add = (id: string, text: string, vector: number[]) => builder.add(source(id), [chunk(id, 0, text, { vector })]);
      await add('a', 'heron', [0, 10, 0, 0]);
      await add('b', 'stork', [0.2, 0.1, 0, 0]);
      await add('c', 'heron and crane', [3, 0, 0, 0]);
      await add('d', 'nothing', [0, 0, 0, 0]);
      for (let index = 0; index < 8; index++) await add(`x${index}`, 'something', [-1, 0, 0, index]);
      await builder.finish();
      const semantic = await hitsOf(indexes, name, 'heron', { vector: [2, 0, 0, 0], type: 'semantic', limit: 2 });
      same(semantic.map(({ sourceId, rank, vectorRank, lexicalRank }) => [sourceId, rank, vectorRank, lexicalRank]), [['c', 1, 1, null], ['b', 2, 2, null]]); // prettier-ignore
      ok(Math.abs(semantic[0]!.score - 1) < 1e-3);
      const hybrid = await hitsOf(indexes, name, 'heron', { vector: [2, 0, 0, 0] });
      strictEqual(hybrid[0]!.sourceId, 'c');
      ok(hybrid[0]!.lexicalRank !== null && hybrid[0]!.vectorRank === 1);
      ok(hybrid.every(({ score }, index) => score <= 1 && (index === 0 || score <= hybrid[index - 1]!.score)));
      const lexical = await hitsOf(indexes, name, 'heron', { vector: [2, 0, 0, 0], type: 'lexical' });
      same(lexical.map(({ sourceId, vectorRank }) => [sourceId, vectorRank]), [['a', null], ['c', null]]); // prettier-ignore
      await rejects(hitsOf(indexes, name, 'heron', { vector: [1, 0] }), WrongDimensions);
      const zero = await hitsOf(indexes, name, 'heron', { vector: [0, 0, 0, 0], type: 'semantic' });
      ok(zero.every(({ score }) => Number.isFinite(score)));
    },
  },
  {
    name: 'reports when it searched only by words',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      await finished(indexes, name, 'a heron');
      const search = { text: 'heron', vector: Float32Array.of(1, 0, 0, 0), limit: 5 };
      for (const type of ['semantic', 'hybrid', 'lexical'] as const) {
        const { hits, type: done } = await indexes.search(name, { ...search, type });
        same([done, hits.length], ['lexical', 1]);
      }
    },
  },
  {
    name: 'shows the best child of each parent, with the text of the parent',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      const builder = await indexes.build(name, vectorial);
      const child = (ordinal: number, text: string, parent: string | null, vector: number[]) =>
        chunk('a', ordinal, text, { parent, vector });
      await builder.add(source('a'), [
        child(0, 'heron', 'the first parent', [1, 0, 0, 0]),
        child(1, 'heron heron stork', 'the first parent', [1, 0.1, 0, 0]),
        child(2, 'heron and many more words about a pond', 'the second parent', [1, 1, 0, 0]),
        child(3, 'heron on its own', null, [1, 2, 0, 0]),
        child(4, 'heron on its own as well', null, [1, 3, 0, 0]),
      ]);
      // The same text as a parent in another source is another parent.
      await builder.add(source('b'), [chunk('b', 0, 'another heron', { parent: 'the first parent', vector: [0, 0, 0, 1] })]);
      await builder.finish();
      const hits = await hitsOf(indexes, name, 'heron', { vector: [1, 0, 0, 0], type: 'semantic' });
      same(hits.map(({ id, parent, rank }) => [id, parent, rank]), [['a-0', 'the first parent', 1], ['a-2', 'the second parent', 2], ['a-3', null, 3], ['a-4', null, 4], ['b-0', 'the first parent', 5]]); // prettier-ignore
    },
  },
  {
    name: 'orders equal scores by id, and returns no more than requested',
    async run(indexes, botId) {
      const name = { botId, generation: 'g' };
      const builder = await indexes.build(name, vectorial);
      for (const id of ['m', 'c', 'x', 'a', 'q']) await builder.add(source(id), [chunk(id, 0, 'a heron', { vector: [1, 0, 0, 0] })]);
      await builder.finish();
      for (const type of ['lexical', 'semantic', 'hybrid'] as const) {
        const all = await hitsOf(indexes, name, 'heron', { vector: [1, 0, 0, 0], type });
        // The title, which is the file name, is one word in each.
        same(all.map(({ sourceId }) => sourceId), ['a', 'c', 'm', 'q', 'x'], type); // prettier-ignore
        strictEqual((await hitsOf(indexes, name, 'heron', { vector: [1, 0, 0, 0], type, limit: 2 })).length, 2);
      }
      for (const limit of [0, 101, 1.5, NaN]) await rejects(async () => hitsOf(indexes, name, 'heron', { limit }), RangeError);
    },
  },
];
