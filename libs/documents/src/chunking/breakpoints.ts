import { EMBED_SENTENCES, EMBED_TEXT } from '../limits.ts';
import type { Unit } from './units.ts';

export type Embed = (sentences: readonly string[]) => Promise<readonly Float32Array[]>;

type Terms = ReadonlyMap<string, number>;

const WORD = /[\p{L}\p{N}]+/gu;

/** The words of a text with their dampened counts: used as its vector if there is no embedding model. */
function termsOf(text: string): Terms {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(WORD)) if (word.length > 2) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const [word, count] of counts) counts.set(word, 1 + Math.log(count));
  return counts;
}

function lexicalDistance(a: Terms, b: Terms): number {
  let product = 0;
  let squareA = 0;
  let squareB = 0;
  for (const [word, weight] of a) {
    product += weight * (b.get(word) ?? 0);
    squareA += weight * weight;
  }
  for (const weight of b.values()) squareB += weight * weight;
  return squareA === 0 || squareB === 0 ? 1 : 1 - product / Math.sqrt(squareA * squareB);
}

function vectorDistance(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let squareA = 0;
  let squareB = 0;
  for (let at = 0; at < a.length; at++) {
    const x = a[at]!;
    const y = b[at] ?? 0;
    product += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return squareA === 0 || squareB === 0 ? 1 : 1 - product / Math.sqrt(squareA * squareB);
}

const windowAt = (units: readonly Unit[], at: number, buffer: number) =>
  units
    .slice(Math.max(0, at - buffer), at + buffer + 1)
    .map(({ text }) => text)
    .join(' ');

async function* vectors(units: readonly Unit[], buffer: number, embed: Embed): AsyncGenerator<Float32Array> {
  let batch: string[] = [];
  let length = 0;
  for (let at = 0; at < units.length; at++) {
    const text = windowAt(units, at, buffer);
    if (batch.length === EMBED_SENTENCES || (batch.length > 0 && length + text.length > EMBED_TEXT)) {
      yield* await embed(batch);
      batch = [];
      length = 0;
    }
    batch.push(text);
    length += text.length;
  }
  if (batch.length > 0) yield* await embed(batch);
}

/** The distance between each unit and the one before it, both with `buffer` neighbours on each side. The first has none. */
async function distances(units: readonly Unit[], buffer: number, embed: Embed | undefined): Promise<Float64Array> {
  const found = new Float64Array(Math.max(0, units.length - 1));
  if (embed === undefined) {
    let previous: Terms | undefined;
    for (let at = 0; at < units.length; at++) {
      const terms = termsOf(windowAt(units, at, buffer));
      if (previous !== undefined) found[at - 1] = lexicalDistance(previous, terms);
      previous = terms;
    }
    return found;
  }
  let previous: Float32Array | undefined;
  let at = 0;
  for await (const vector of vectors(units, buffer, embed)) {
    if (previous !== undefined) found[at - 1] = vectorDistance(previous, vector);
    previous = vector;
    at++;
  }
  return found;
}

/** The value that `percentile` per cent of the values do not exceed, interpolated between neighbours. */
export function percentileOf(values: Float64Array, percentile: number): number {
  if (values.length === 0) return Infinity;
  const sorted = values.toSorted();
  const rank = ((sorted.length - 1) * percentile) / 100;
  const low = Math.floor(rank);
  const below = sorted[low]!;
  return below + (sorted[Math.min(low + 1, sorted.length - 1)]! - below) * (rank - low);
}

/** Groups neighbouring units by meaning: a group ends where the distance to the next unit is above the percentile. */
export async function groupsOf(units: readonly Unit[], buffer: number, percentile: number, embed?: Embed): Promise<readonly Unit[][]> {
  const found = await distances(units, buffer, embed);
  const threshold = percentileOf(found, percentile);
  const groups: Unit[][] = [];
  let group: Unit[] = [];
  for (const [at, unit] of units.entries()) {
    const isBreak = at > 0 && found[at - 1]! > threshold && !group.every(({ isHeading }) => isHeading);
    if (isBreak) {
      groups.push(group);
      group = [];
    }
    group.push(unit);
  }
  if (group.length > 0) groups.push(group);
  return groups;
}
