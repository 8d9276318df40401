import { describe, it } from '@jest/globals';
import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { BestRows, scan } from './vector-scan.ts';

const number = fc.integer({ min: -3, max: 3 });

describe('scanning vectors', () => {
  it('finds the rows that sorting all of them finds', () => {
    const cases = fc.integer({ min: 1, max: 9 }).chain((dimensions) => {
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
});
