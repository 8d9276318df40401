import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Batch, HeldChunks } from './held-chunks.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'held-'));
});
afterAll(() => rm(directory, { recursive: true }));

const batch = (ordinal: number): Batch => ({
  chunks: [{ id: `c${ordinal}`, ordinal, text: `Line ${ordinal}\nof “text”`, parent: null, page_number: 1, heading: null, tokens: 3 }],
  title: 'Ships',
});

describe('the chunks of a source', () => {
  it.each([0, 1, 2, 5])('are returned in order, and leave no file behind: %i batches', async (count) => {
    const held = new HeldChunks(directory);
    const batches = Array.from({ length: count }, (_, index) => batch(index));
    for (const each of batches) await held.add(each);
    const back: Batch[] = [];
    for await (const each of held.batches()) back.push(each);
    expect(back).toEqual(batches);
    await held.remove();
    expect(await readdir(directory)).toEqual([]);
  });
  it('need no file for a single batch', async () => {
    const held = new HeldChunks(directory);
    await held.add(batch(0));
    expect(await readdir(directory)).toEqual([]);
  });
});
