// Runs uncompiled in threads: only erasable types.
import { dotProducts } from './dot-products.ts';

export interface Scored {
  /** From 1. */
  readonly row: number;
  readonly score: number;
}

/** The best rows so far, in a heap with the worst of them at the top. Among equal scores the earlier row is better. */
export class BestRows {
  private readonly heap: Scored[] = [];
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** A score must exceed this to be kept. */
  get floor(): number {
    return this.heap.length < this.limit ? -Infinity : this.heap[0]!.score;
  }

  add(row: number, score: number): void {
    const { heap } = this;
    if (heap.length < this.limit) {
      let at = heap.push({ row, score }) - 1;
      for (let above = (at - 1) >> 1; at > 0 && isWorse(heap[at]!, heap[above]!); above = (at - 1) >> 1) {
        this.swap(at, above);
        at = above;
      }
    } else if (score > heap[0]!.score) {
      heap[0] = { row, score };
      this.sink();
    }
  }

  rows(): readonly Scored[] {
    return this.heap;
  }

  private sink(): void {
    const { heap } = this;
    for (let at = 0; ;) {
      let worst = at;
      for (const below of [2 * at + 1, 2 * at + 2]) if (below < heap.length && isWorse(heap[below]!, heap[worst]!)) worst = below;
      if (worst === at) return;
      this.swap(at, worst);
      at = worst;
    }
  }

  private swap(one: number, other: number): void {
    [this.heap[one], this.heap[other]] = [this.heap[other]!, this.heap[one]!];
  }
}

const isWorse = (one: Scored, other: Scored): boolean => one.score < other.score || (one.score === other.score && one.row > other.row);

/** Adds all vectors of a matrix. */
export function scan(matrix: Float32Array, query: Float32Array, firstRow: number, best: BestRows): void {
  let { floor } = best;
  const use = (products: Float32Array, first: number) => {
    for (let index = 0; index < products.length; index++) {
      const score = products[index]!;
      if (score <= floor) continue;
      best.add(firstRow + first + index, score);
      floor = best.floor;
    }
  };
  if (!dotProducts(matrix, query, use)) scanSlowly(matrix, query, firstRow, best);
}

/** For dimensions that WebAssembly does not support. Four sums are faster than one, because they do not wait for each other. */
export function scanSlowly(matrix: Float32Array, query: Float32Array, firstRow: number, best: BestRows): void {
  const dimensions = query.length;
  // Doubles, so that the query's numbers are not converted for each row.
  const wanted = Float64Array.from(query);
  const whole = dimensions - (dimensions % 4);
  let { floor } = best;
  for (let start = 0, row = firstRow; start < matrix.length; start += dimensions, row++) {
    let one = 0;
    let two = 0;
    let three = 0;
    let four = 0;
    let at = 0;
    for (; at < whole; at += 4) {
      one += matrix[start + at]! * wanted[at]!;
      two += matrix[start + at + 1]! * wanted[at + 1]!;
      three += matrix[start + at + 2]! * wanted[at + 2]!;
      four += matrix[start + at + 3]! * wanted[at + 3]!;
    }
    for (; at < dimensions; at++) one += matrix[start + at]! * wanted[at]!;
    const score = one + two + three + four;
    if (score > floor) {
      best.add(row, score);
      floor = best.floor;
    }
  }
}
