import { MAX_CHUNK_TEXT } from '../limits.ts';
import { tokensOf } from './tokens.ts';
import { joined, type Unit } from './units.ts';

export interface Passage {
  readonly units: readonly Unit[];
  readonly text: string;
  readonly tokens: number;
}

const passage = (units: readonly Unit[]): Passage => {
  const text = joined(units);
  return { units, text, tokens: tokensOf(text) };
};

const lengthOf = (units: readonly Unit[]) => units.reduce((sum, { gap, text }) => sum + gap.length + text.length, 0);

/** The whole units at the end of a passage that fit into `tokens` tokens. */
function tail(units: readonly Unit[], tokens: number): Unit[] {
  let from = units.length;
  let sum = 0;
  // The first unit of a passage is not repeated, so that each passage starts later than the previous one.
  while (from > 1 && sum + units[from - 1]!.tokens <= tokens) sum += units[--from]!.tokens;
  return units.slice(from);
}

/**
 * Packs units into passages of at most `maxTokens` tokens. A passage starts with the whole units from the end of the previous passage that fit
 * into `overlapTokens`. Headings at the end of a passage move to the next one. A passage has text of one page only, so that a citation names the
 * right page.
 */
export function* packed(units: Iterable<Unit>, maxTokens: number, overlapTokens: number): Generator<Passage> {
  let pending: Unit[] = [];
  /** The units at the start of `held` that belong to the previous passage too. */
  let repeated = 0;
  let tokens = 0;
  let length = 0;

  const restart = (next: Unit[], overlap: number) => {
    pending = next;
    repeated = overlap;
    tokens = next.reduce((sum, unit) => sum + unit.tokens, 0);
    length = lengthOf(next);
  };

  /** Returns the longest passage from the start of `held` that is within the limit, and keeps the rest. */
  const close = (isLast: boolean): Passage => {
    let end = pending.length;
    if (!isLast) while (end > repeated + 1 && pending[end - 1]!.isHeading) end--;
    let closed = passage(pending.slice(0, end));
    while (closed.tokens > maxTokens && end > repeated + 1) closed = passage(pending.slice(0, --end));
    const left = pending.slice(end);
    const overlap = isLast && left.length === 0 ? [] : tail(closed.units, overlapTokens);
    restart([...overlap, ...left], overlap.length);
    return closed;
  };

  const hasRoom = (unit: Unit) => tokens + unit.tokens <= maxTokens && length + unit.gap.length + unit.text.length <= MAX_CHUNK_TEXT;

  for (const unit of units) {
    if (pending.length > 0 && pending.at(-1)!.page !== unit.page) while (pending.length > repeated) yield close(true);
    while (pending.length > repeated && !hasRoom(unit)) yield close(false);
    // If a new unit does not fit, the overlap is shortened from its start.
    for (let overlap = repeated; overlap > 0 && !hasRoom(unit); overlap--) restart(pending.slice(1), overlap - 1);
    pending.push(unit);
    tokens += unit.tokens;
    length += unit.gap.length + unit.text.length;
  }
  while (pending.length > repeated) yield close(true);
}
