import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { waitFor } from '@parlance/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addTexts, chunk, finished, hitsOf, lexicalOnly, source, vectorial } from '../test/content.ts';
import { knowledgeIndexesContract } from '../test/contract.ts';
import { crashRounds } from '../test/crash.ts';
import { directory, sqlitePlace } from '../test/places.ts';
import { IndexDamaged } from './indexes/errors.ts';
import { openSqliteIndexes } from './sqlite.ts';

knowledgeIndexesContract('SQLite', sqlitePlace);

describe('indexes in SQLite', () => {
  let place: Awaited<ReturnType<typeof directory>>;
  beforeEach(async () => {
    place = await directory();
  });
  afterEach(() => place.remove());

  it('keeps vectors in memory up to a limit, and finds the same without them', async () => {
    // Room for the vectors of one index of ten chunks.
    const indexes = openSqliteIndexes({ directory: place.path, searchThreads: 1, vectorBytes: 10 * 4 * 4 });
    const names = [10, 10, 11].map((chunks, index) => ({ chunks, name: { botId: `bot${index}`, generation: 'g' } }));
    for (const { chunks, name } of names) {
      const builder = await indexes.build(name, vectorial);
      const all = Array.from({ length: chunks }, (_, at) => chunk('s', at, 'a heron', { vector: [at, 1, 0, 0] }));
      await builder.add(source('s'), all);
      await builder.finish();
      const [best] = await hitsOf(indexes, name, '', { vector: [1, 0, 0, 0], type: 'semantic' });
      expect(best!.ordinal).toBe(chunks - 1);
      expect((await indexes.footprint()).vectorBytes).toBeLessThanOrEqual(160);
    }
    // The third is too large to be kept, and leaves the second in memory.
    expect(await indexes.footprint()).toEqual({ files: 2, vectorBytes: 160 });
    for (const { name } of names) await indexes.remove(name);
    expect(await indexes.footprint()).toEqual({ files: 0, vectorBytes: 0 });
    await indexes.close();
  });

  it('ends idle threads, except one with an open build', async () => {
    const indexes = openSqliteIndexes({ directory: place.path, searchThreads: 1, idleMillis: 20 });
    const [name, other] = [
      { botId: 'bot', generation: 'g' },
      { botId: 'other', generation: 'g' },
    ];
    await finished(indexes, name, 'heron');
    const builder = await indexes.build(other, lexicalOnly);
    await hitsOf(indexes, name, 'heron');
    expect(indexes.runningThreads).toBe(2);
    await waitFor(() => indexes.runningThreads === 1);
    await builder.add(source('s'), [chunk('s', 0, 'stork')]);
    await builder.finish();
    await waitFor(() => indexes.runningThreads === 0);
    expect(await hitsOf(indexes, other, 'stork')).toHaveLength(1);
    await indexes.close();
  });

  it.each([
    ['is cut off', (path: string) => truncate(path, 5_000)],
    ['is empty', (path: string) => truncate(path, 0)],
    ['has other bytes', (path: string) => writeFile(path, 'x'.repeat(50_000))],
    [
      'has lost its vectors',
      async (path: string) => {
        const database = new DatabaseSync(path);
        database.exec('DELETE FROM vectors');
        database.close();
      },
    ],
  ])('reports a file that %s as damaged', async (_, damage) => {
    const name = { botId: 'bot', generation: 'g' };
    const before = openSqliteIndexes({ directory: place.path });
    const builder = await before.build(name, vectorial);
    const all = Array.from({ length: 200 }, (__, at) => chunk('s', at, `a heron ${at}`, { vector: [at, 1, 0, 0] }));
    await builder.add(source('s'), all);
    await builder.finish();
    await before.close();
    await damage(join(place.path, 'bot', 'g.sqlite'));
    const indexes = openSqliteIndexes({ directory: place.path });
    const search = { text: 'heron', vector: new Float32Array(4), type: 'hybrid', limit: 5 } as const;
    await expect(indexes.search(name, search)).rejects.toBeInstanceOf(IndexDamaged);
    await expect(indexes.chunksOf(name, 's', null, 10)).rejects.toBeInstanceOf(IndexDamaged);
    // It can still be removed.
    await indexes.remove(name);
    expect(await indexes.describe(name)).toBeNull();
    await indexes.close();
  });

  it('searches files of earlier releases, which do not name languages', async () => {
    const indexes = openSqliteIndexes({ directory: place.path });
    const name = { botId: 'bot', generation: 'g' };
    await finished(indexes, name, 'the herons of the pond are grey');
    const database = new DatabaseSync(join(place.path, 'bot', 'g.sqlite'));
    database.exec("UPDATE about SET json = json_remove(json, '$.languages')");
    database.close();
    expect((await hitsOf(indexes, name, 'heron')).length).toBe(1);
    await indexes.close();
  });

  it('leaves common words out of a query only if the other words find enough', async () => {
    const indexes = openSqliteIndexes({ directory: place.path });
    const name = { botId: 'bot', generation: 'g' };
    const builder = await indexes.build(name, lexicalOnly);
    const texts = Array.from({ length: 1_000 }, (_, at) => chunk('s', at, at % 100 === 0 ? 'bird rare heron' : `bird word${at}`));
    await builder.add(source('s'), texts);
    await builder.finish();
    const found = await hitsOf(indexes, name, 'bird heron', { limit: 100 });
    expect(found).toHaveLength(100);
    expect(found.slice(0, 10).every(({ text }) => text === 'bird rare heron')).toBe(true);
    expect(await hitsOf(indexes, name, 'bird')).toHaveLength(10);
    await indexes.close();
  });

  it('ranks matches of repeated question words first', async () => {
    const indexes = openSqliteIndexes({ directory: place.path });
    const name = { botId: 'bot', generation: 'g' };
    const builder = await indexes.build(name, lexicalOnly);
    const texts = ['stork nest', 'heron nest', ...Array.from({ length: 20 }, (_, at) => `other${at}`)];
    await builder.add(
      source('s'),
      texts.map((text, at) => chunk('s', at, text)),
    );
    await builder.finish();
    const first = async (question: string) => (await hitsOf(indexes, name, question, { limit: 2 })).map(({ text }) => text);
    expect(await first('stork or heron')).toEqual(['stork nest', 'heron nest']);
    expect(await first('storks eat what herons, and the heron, leave')).toEqual(['heron nest', 'stork nest']);
    await indexes.close();
  });

  it('reads indexes that another process finished, and lists those that it left unfinished', async () => {
    const first = openSqliteIndexes({ directory: place.path });
    await finished(first, { botId: 'bot', generation: 'g1' }, 'a heron');
    await addTexts(await first.build({ botId: 'bot', generation: 'g2' }, lexicalOnly), 'a stork');
    await first.close();
    const second = openSqliteIndexes({ directory: place.path });
    expect(await hitsOf(second, { botId: 'bot', generation: 'g1' }, 'heron')).toHaveLength(1);
    const listed = await second.list(null, 10);
    expect(listed.map(({ name: { generation }, finished: isFinished }) => [generation, isFinished])).toEqual([
      ['g1', true],
      ['g2', false],
    ]);
    for (const { name } of listed) await second.remove(name);
    expect(await readdir(place.path)).toEqual([]);
    await second.close();
  });

  it('leaves only complete indexes when the process is killed', async () => {
    const { chunks, rounds } = await crashRounds(place.path);
    const indexes = openSqliteIndexes({ directory: place.path });
    const listed = await indexes.list(null, 1_000);
    expect(listed.length).toBeGreaterThanOrEqual(rounds);
    for (const { name, finished: isFinished } of listed) {
      const described = await indexes.describe(name);
      expect(described?.chunks ?? null).toBe(isFinished ? chunks : null);
      if (isFinished) expect(await hitsOf(indexes, name, 'heron', { limit: 100 })).toHaveLength(chunks);
      await indexes.remove(name);
    }
    expect(await readdir(join(place.path))).toEqual([]);
    await indexes.close();
  });
});
