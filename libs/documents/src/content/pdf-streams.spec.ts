import { deflateSync } from 'node:zlib';
import { describe, expect, it, jest } from '@jest/globals';
import { inflatedBytesOf } from './pdf-streams.ts';

const packed = deflateSync('some text');
const stream = (end: string) => Buffer.concat([Buffer.from('1 0 obj << >> stream\n'), packed, Buffer.from(`\n${end}\n`)]);
/** The number of searches for the end of a stream. */
async function searchesIn(pdf: Buffer) {
  const searches = jest.spyOn(pdf, 'indexOf');
  const bytes = await inflatedBytesOf(pdf);
  return { bytes, searches: searches.mock.calls.filter(([what]) => what === 'endstream').length };
}

describe("the bytes of a PDF's streams", () => {
  it('are counted if each stream has an end', async () => {
    expect(await searchesIn(Buffer.concat(Array.from({ length: 5 }, () => stream('endstream'))))).toEqual({ bytes: 5 * 9, searches: 5 });
  });
  it('are counted in one pass if streams have no end', async () => {
    expect(await searchesIn(Buffer.concat(Array.from({ length: 500 }, () => stream(''))))).toEqual({ bytes: 500 * 9, searches: 1 });
  });
  it('are counted in one pass if many streams share one end', async () => {
    expect(await searchesIn(Buffer.concat([...Array.from({ length: 500 }, () => stream('')), stream('endstream')]))).toEqual({
      bytes: 501 * 9,
      searches: 1,
    });
  });
});
