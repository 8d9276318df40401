import { describe, it } from '@jest/globals';
import { deepStrictEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import { dotProducts } from './dot-products.ts';
import { BestRows, scan, scanSlowly } from './vector-scan.ts';

const number = fc.integer({ min: -3, max: 3 });

describe('scanning vectors', () => {
  it('finds the same rows as sorting all of them', () => {
    const dimensionsOf = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(16, 32, 48));
    const cases = dimensionsOf.chain((dimensions) => {
      const vector = fc.array(number, { minLength: dimensions, maxLength: dimensions });
      return fc.record({ query: vector, vectors: fc.array(vector, { maxLength: 60 }), limit: fc.integer({ min: 1, max: 12 }) });
    });
    fc.assert(
      fc.property(cases, ({ query, vectors, limit }) => {
        const best = new BestRows(limit);
        scan(Float32Array.from(vectors.flat()), Float32Array.from(query), 1, best);
        const scored = vectors.map((vector, index) => ({
          row: index + 1,
          score: vector.reduce((sum, each, at) => sum + each * query[at]!, 0),
        }));
        const order = (rows: readonly { row: number; score: number }[]) =>
          [...rows].sort((one, other) => other.score - one.score || one.row - other.row).map(({ row }) => row);
        deepStrictEqual(order(best.rows()), order(scored).slice(0, limit));
      }),
    );
  });

  it.each([1, 255, 256, 257, 700])('finds the same as the slow scan among %j rows of 384 numbers', (rows) => {
    const numbers = (count: number) => Float32Array.from({ length: count }, (_, at) => ((at * 7_919) % 1_009) / 1_009 - 0.5);
    const [matrix, query] = [numbers(rows * 384), numbers(384).reverse()];
    const [fast, slow] = [new BestRows(20), new BestRows(20)];
    scan(matrix, query, 5, fast);
    scanSlowly(matrix, query, 5, slow);
    const sorted = (best: BestRows) => [...best.rows()].sort((one, other) => one.row - other.row);
    deepStrictEqual(
      sorted(fast).map(({ row }) => row),
      sorted(slow).map(({ row }) => row),
    );
    for (const [index, { score }] of sorted(fast).entries()) equal(Math.abs(score - sorted(slow)[index]!.score) < 1e-4, true);
  });
  it('uses WebAssembly for the dimensions of common models', () => {
    for (const dimensions of [384, 512, 768, 1_024, 1_536, 3_072])
      equal(
        dotProducts(new Float32Array(dimensions).fill(1), new Float32Array(dimensions).fill(0.5), ([product]) =>
          equal(product, dimensions / 2),
        ),
        true,
      );
  });
});
