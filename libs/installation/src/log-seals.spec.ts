import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { openSqliteFile, type SqliteFile } from '@parlance/sqlite';
import { checksumOf, LogSeals, SEALED } from './log-seals.ts';

const metadata = {
  at: Instant.ofMillis(1),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'c',
  causationId: null,
};
let directory: string;
let file: SqliteFile;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'parlance-seals-'));
  file = await openSqliteFile(join(directory, 'log.db'));
});
afterEach(async () => {
  await file.close();
  rmSync(directory, { recursive: true });
});

async function append(commits: number): Promise<void> {
  const store = await openSqliteEventStore(file);
  const from = await store.head();
  await Promise.all(
    Array.from({ length: commits }, (_, index) =>
      store.append({ stream: `s${from + index}`, expected: 0, events: [{ type: 'Happened' }], metadata }),
    ),
  );
}

const seals = () => file.all<{ first: number; last: number; sums: Uint8Array }>('SELECT * FROM log_seals ORDER BY first');

describe('checksums of a log', () => {
  it('are written for complete groups of commits', async () => {
    await append(600);
    await (await LogSeals.open(file)).advance(600);
    expect(seals().map(({ first, last }) => [first, last])).toEqual([
      [1, 256],
      [257, 512],
    ]);
  });
  it('are written once if the file is released during a round', async () => {
    await append(600);
    const all = await LogSeals.open(file);
    await Promise.all([all.advance(600), all.advance(600, true)]);
    expect(seals().map(({ first, last }) => [first, last])).toEqual([
      [1, 256],
      [257, 512],
      [513, 600],
    ]);
  });
  it('are written for a group that ends when its texts reach one mebibyte', async () => {
    const store = await openSqliteEventStore(file);
    const mebibyte = 1_048_576;
    const sizes = () => file.all<{ size: number }>(`SELECT length(text) AS size FROM (SELECT ${SEALED} FROM commits)`);
    for (const [stream, letters] of [
      ['a', mebibyte / 2],
      ['b', mebibyte / 2],
    ] as const)
      await store.append({ stream, expected: 0, events: [{ type: 'x'.repeat(letters) }], metadata });
    const together = sizes().reduce((sum, { size }) => sum + size, 0);
    expect(together).toBeGreaterThan(mebibyte);
    expect(together).toBeLessThan(1_025 * 1_024);
    await append(1);
    await (await LogSeals.open(file)).advance(3, true);
    expect(seals().map(({ first, last }) => [first, last])).toEqual([
      [1, 2],
      [3, 3],
    ]);
  });
  it('are written for all commits at a stop, and continue after it', async () => {
    await append(10);
    await (await LogSeals.open(file)).advance(10, true);
    await append(5);
    await (await LogSeals.open(file)).advance(15, true);
    expect(seals().map(({ first, last }) => [first, last])).toEqual([
      [1, 10],
      [11, 15],
    ]);
  });
  it('are the checksums of the commits', async () => {
    await append(3);
    await (await LogSeals.open(file)).advance(3, true);
    const texts = file.all<{ text: string }>(`SELECT ${SEALED} FROM commits ORDER BY position`).map(({ text }) => text);
    const sums = Buffer.from(seals()[0]!.sums);
    expect(texts.map((_, index) => sums.readUInt32LE(index * 4))).toEqual(texts.map(checksumOf));
  });
  it('do not cover commits beyond the requested position', async () => {
    await append(3);
    await (await LogSeals.open(file)).advance(0, true);
    expect(seals()).toEqual([]);
  });
});
