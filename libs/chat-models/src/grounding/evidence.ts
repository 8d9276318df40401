import type { Chunk } from '../chat-model.ts';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { type Clause, clausesOf, saysAnything } from './clauses.ts';

/** Maximum number of clauses that are read, about 256 KiB of ordinary text. The rest of the chunks supports nothing. */
const MOST_CLAUSES = 20_000;
/** Occurrences of one word that are checked. A word with more occurrences is too frequent to be informative. */
const MOST_PLACES = 2_000;
/** A statement may be spread over this many clauses before and after a clause. */
const NEIGHBOURS = 2;
/** The weight of a frequent word. A word that occurs nowhere in the texts weighs 1. */
const LEAST_WEIGHT = 0.3;

/** How well the retrieved texts support a clause. */
export interface Support {
  /** The weight of the clause's words. */
  readonly weight: number;
  /** The largest share of this weight found at one position of the texts that has the same numbers and the same negation. 0 if there is none. */
  readonly share: number;
  readonly place: number | null;
}

/** The clauses of the retrieved texts, indexed by their words. */
export class Evidence {
  private readonly clauses: Clause[] = [];
  /** For each clause, the number of its text. */
  private readonly texts: number[] = [];
  private readonly byStem = new Map<string, number[]>();
  private readonly byNumber = new Map<string, number[]>();

  private constructor() {}

  /** Does not block the event loop. */
  static async of(chunks: readonly Chunk[], signal: AbortSignal): Promise<Evidence> {
    const evidence = new Evidence();
    for (const [text, { content, heading }] of chunks.entries()) {
      for (const clause of clausesOf(heading === null ? content : `${heading}\n${content}`)) {
        if (isTurnOver()) await nextTurn();
        signal.throwIfAborted();
        if (!saysAnything(clause)) continue;
        if (evidence.clauses.length === MOST_CLAUSES) return evidence;
        evidence.add(clause, text);
      }
    }
    return evidence;
  }

  weightOf({ stems, numbers }: Clause): number {
    return stems.reduce((sum, stem) => sum + this.weight(stem), numbers.length);
  }

  /** Does not block the event loop. */
  async supportOf(clause: Clause): Promise<Support> {
    const weight = this.weightOf(clause);
    const { around, alone, numbers } = await this.found(clause);
    let best: Support = { weight, share: 0, place: null };
    for (const [place, found] of around) {
      if (found <= best.share * weight || (numbers.get(place) ?? 0) < clause.numbers.length) continue;
      if (!this.isAlike(clause, place, alone, weight)) continue;
      best = { weight, share: Math.min(1, found / weight), place };
    }
    return best;
  }

  has(stem: string): boolean {
    return this.byStem.has(stem);
  }

  /** The words of the clauses around a position. */
  *stemsAround(place: number): Generator<string> {
    for (const near of this.around(place)) yield* this.clauses[near]!.stems;
  }

  private add(clause: Clause, text: number): void {
    const place = this.clauses.push(clause) - 1;
    this.texts.push(text);
    for (const stem of clause.stems) note(this.byStem, stem, place);
    for (const number of clause.numbers) note(this.byNumber, number, place);
  }

  /** Rare words count more, and absent words the most. Two letters carry little meaning, except in scripts without spaces. */
  private weight(stem: string): number {
    const places = this.byStem.get(stem)?.length ?? 0;
    const all = this.clauses.length;
    const rarity = places === 0 ? 1 : Math.log(1 + all / places) / Math.log(1 + 2 * all);
    const byLength = stem.length >= 4 ? 1 : stem.length === 3 ? 0.6 : PAIR.test(stem) ? 0.6 : 0.2;
    return byLength * (LEAST_WEIGHT + (1 - LEAST_WEIGHT) * rarity);
  }

  /** By position: the total weight of the clauses around it, the weight of the clause alone, and how many of the numbers are nearby. */
  private async found({ stems, numbers: wanted }: Clause) {
    const around = new Map<number, number>();
    const alone = new Map<number, number>();
    const numbers = new Map<number, number>();
    for (const stem of stems) {
      if (isTurnOver()) await nextTurn();
      const weight = this.weight(stem);
      const places = this.byStem.get(stem) ?? [];
      for (const place of places) alone.set(place, (alone.get(place) ?? 0) + weight);
      for (const near of this.nearTo(places)) around.set(near, (around.get(near) ?? 0) + weight);
    }
    for (const number of wanted) {
      for (const near of this.nearTo(this.byNumber.get(number) ?? [])) {
        numbers.set(near, (numbers.get(near) ?? 0) + 1);
        around.set(near, (around.get(near) ?? 0) + 1);
      }
    }
    return { around, alone, numbers };
  }

  /**
   * Whether a position states the clause and not its opposite. A negated statement needs a negated clause that has half of its words or negates
   * the same word. Otherwise the clause with most of its words must not be negated.
   */
  private isAlike(clause: Clause, place: number, alone: ReadonlyMap<number, number>, weight: number): boolean {
    let [most, isNegated] = [0, false];
    for (const near of this.around(place)) {
      const found = alone.get(near) ?? 0;
      const other = this.clauses[near]!;
      if (clause.isNegated && other.isNegated && (found >= weight / 2 || clause.negated === other.negated)) return true;
      if (found <= most) continue;
      most = found;
      isNegated = other.isNegated;
    }
    return !clause.isNegated && !isNegated;
  }

  private nearTo(places: readonly number[]): Set<number> {
    const near = new Set<number>();
    for (const place of places) for (const one of this.around(place)) near.add(one);
    return near;
  }

  private *around(place: number): Generator<number> {
    for (let near = place - NEIGHBOURS; near <= place + NEIGHBOURS; near++)
      if (this.texts[near] === this.texts[place] && near >= 0) yield near;
  }
}

const PAIR = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u;

function note(places: Map<string, number[]>, word: string, place: number): void {
  const known = places.get(word);
  if (!known) places.set(word, [place]);
  else if (known.length < MOST_PLACES) known.push(place);
}
