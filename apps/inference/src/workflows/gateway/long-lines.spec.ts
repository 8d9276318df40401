import { describe, expect, it } from '@jest/globals';
import { linesIn } from './batch-lines.ts';
import { inOneLine } from './batch-run.ts';

const MIB = 1024 * 1024;
const PART = 64 * 1024;

/** How often other work had a turn of the event loop. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}

/** All parts are ready at once, as those of a small file in memory. */
async function* partsOf(bytes: Buffer) {
  for (let from = 0; from < bytes.length; from += PART) yield bytes.subarray(from, from + PART);
}

async function numbersOf(file: AsyncIterable<Buffer>): Promise<readonly number[]> {
  const numbers: number[] = [];
  for await (const { line } of linesIn(file)) numbers.push(line);
  return numbers;
}

// Without turns, each took 50 ms to a second in one step.
describe('other work has turns of the event loop', () => {
  it('while the empty lines of a file are skipped', async () => {
    const turns = await turnsDuring(async () => expect(await numbersOf(partsOf(Buffer.alloc(8 * MIB, '\n')))).toEqual([]));
    expect(turns).toBeGreaterThan(5);
  });
  it('while the line breaks of an answer are replaced', async () => {
    const body = Buffer.from(`{"a":${'\r\n'.repeat(2 * MIB)}1}`);
    const turns = await turnsDuring(async () => expect(JSON.parse(String(await inOneLine(body)))).toEqual({ a: 1 }));
    expect(turns).toBeGreaterThan(3);
  });
});

describe('a line that is too long', () => {
  it('is named by its number, also after empty lines', () =>
    expect(numbersOf(partsOf(Buffer.from(`{}\n\n\n${'x'.repeat(2 * MIB)}`)))).rejects.toMatchObject({ code: 'line_too_large', line: 4 }));
});
