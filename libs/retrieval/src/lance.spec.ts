import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { bucketIn, missing, s3 } from '@parlance/testing';
import { chunk, source, vectorial } from '../test/content.ts';
import { knowledgeIndexesContract } from '../test/contract.ts';
import { isDamage } from './lance/damage.ts';
import { loadLance } from './lance/native.ts';
import { openLanceIndexes, storageOptionsOf } from './lance.ts';
import { AdapterUnavailable, IndexDamaged, IndexMissing, lanceFolder } from './index.ts';

knowledgeIndexesContract('LanceDB in a directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'retrieval-'));
  const indexes = await openLanceIndexes({ uri: directory });
  return {
    indexes,
    async remove() {
      await indexes.close();
      await rm(directory, { recursive: true });
    },
  };
});

const describeS3 = missing('s3') ? describe.skip : describe;

describeS3('with object storage', () => {
  knowledgeIndexesContract('LanceDB on S3', async () => {
    const server = await s3();
    const { type: _, bucket, ...options } = await bucketIn(server, 'knowledge');
    const indexes = await openLanceIndexes({ uri: `s3://${bucket}/indexes`, storageOptions: storageOptionsOf(options) });
    return {
      indexes,
      async remove() {
        await indexes.close();
        await server.stop();
      },
    };
  });
});

describe('an index in LanceDB', () => {
  const name = { botId: 'bot', generation: 'g' };
  type Damage = (files: (part: RegExp) => Promise<readonly string[]>) => Promise<unknown>;
  const each = (part: RegExp, damage: (path: string) => Promise<unknown>) =>
    (async (files) => {
      const found = await files(part);
      expect(found).not.toEqual([]);
      await Promise.all(found.map(damage));
    }) satisfies Damage;
  const cut = async (path: string) => truncate(path, Math.floor((await stat(path)).size / 2));
  const CHUNKS = /bot\.g\.[^./]+\.lance\/data\//;
  const POINTER = new RegExp(lanceFolder(name).replaceAll('.', '\\.'));

  it.each<[string, Damage]>([
    ['whose chunks are cut off', each(CHUNKS, cut)],
    ['whose chunks have other bytes', each(CHUNKS, (path) => writeFile(path, 'x'.repeat(50_000)))],
    ['whose chunks are missing', each(CHUNKS, (path) => rm(path))],
    ['without a table of chunks', each(/bot\.g\.[^./]+\.lance\//, (path) => rm(path))],
    ['whose table of chunks has a damaged manifest', each(/bot\.g\.[^./]+\.lance\/_versions\/.*manifest/, cut)],
    ['whose words are missing', each(/_indices\/.*tokens\.lance/, (path) => rm(path))],
    ['whose pointer is cut off', each(new RegExp(`${POINTER.source}data/`), cut)],
    ['whose pointer has a damaged manifest', each(new RegExp(`${POINTER.source}_versions/.*manifest`), cut)],
  ])('%s is reported as damaged, and can be listed and removed', async (_, damage) => {
    const directory = await mkdtemp(join(tmpdir(), 'retrieval-'));
    const before = await openLanceIndexes({ uri: directory });
    const builder = await before.build(name, vectorial);
    const all = Array.from({ length: 200 }, (__, at) => chunk('s', at, `a heron ${at}`, { vector: [at, 1, 0, 0] }));
    await builder.add(source('s'), all);
    await builder.finish();
    await before.close();
    const paths = (await readdir(directory, { recursive: true, withFileTypes: true })).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    );
    await damage(async (part) => paths.filter((path) => part.test(path)));
    const indexes = await openLanceIndexes({ uri: directory });
    const search = { text: 'heron', vector: new Float32Array([1, 1, 0, 0]), type: 'hybrid', limit: 5 } as const;
    await expect(indexes.search(name, search)).rejects.toBeInstanceOf(IndexDamaged);
    expect(await indexes.list(null, 10)).toEqual([expect.objectContaining({ name, finished: true })]);
    await indexes.remove(name);
    expect([await indexes.describe(name), await indexes.list(null, 10)]).toEqual([null, []]);
    await expect(indexes.search(name, search)).rejects.toBeInstanceOf(IndexMissing);
    await indexes.close();
    await rm(directory, { recursive: true });
  });

  it.each([
    'lance error: LanceError(IO): Generic S3 error: Error performing GET http://127.0.0.1:1/x in 3s, after 3 retries - HTTP error: error sending request',
    'Invalid input, IO { source: Generic { store: "S3", source: RetryError } }',
    'lance error: LanceError(IO): Generic LocalFileSystem error: Unable to open file: Too many open files (os error 24)',
    'lance error: Resources exhausted: Failed to allocate memory',
  ])('is not damaged because of %s', (message) => {
    expect(isDamage(Object.assign(new Error(message), { code: 'GenericFailure' }))).toBe(false);
  });
});

describe('LanceDB on a platform without its native part', () => {
  it('names the package to install', async () => {
    const opening = loadLance(() => Promise.reject(new Error('Cannot find native binding')));
    await expect(opening).rejects.toThrow(AdapterUnavailable);
    await expect(opening).rejects.toThrow(`npm install @lancedb/lancedb-${process.platform}-${process.arch}`);
  });
});
