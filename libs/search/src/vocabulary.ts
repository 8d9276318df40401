import { type Analyser, type Forms, isWrittenWithoutSpaces } from './analyser.ts';
import type { QueryWord } from './query.ts';

/** Kinds of matches, best first. */
export const KINDS = ['exact', 'stem', 'prefix', 'typo'] as const;
export type Kind = (typeof KINDS)[number];

/** In shorter words a typo makes another word too often. */
export const MIN_TYPO = 5;

/** How a query word matches a word of a text. The result depends on these two words alone. */
export function kindOf(asked: QueryWord, found: Forms): Kind | undefined {
  if (found.word === asked.word) return 'exact';
  if (found.stem === asked.stem) return 'stem';
  if (asked.isPrefix && found.word.startsWith(asked.word)) return 'prefix';
  return asked.word.length >= MIN_TYPO && isOneTypoApart(asked.word, found.word) ? 'typo' : undefined;
}

/** Whether one letter was inserted, removed or replaced, or two neighbours were swapped. */
export function isOneTypoApart(a: string, b: string): boolean {
  if (a.length > b.length) return isOneTypoApart(b, a);
  if (b.length - a.length > 1 || a === b) return false;
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1);
  if (a.endsWith(b.slice(at + 1))) return true;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** Ids by key. A key without ids takes no memory. */
class Buckets {
  private readonly ids = new Map<string, number[]>();

  of(key: string): readonly number[] {
    return this.ids.get(key) ?? [];
  }

  add(key: string, id: number): void {
    const ids = this.ids.get(key);
    if (ids) ids.push(id);
    else this.ids.set(key, [id]);
  }

  remove(key: string, id: number): void {
    const ids = this.ids.get(key);
    const place = ids?.indexOf(id) ?? -1;
    if (ids === undefined || place === -1) return;
    const last = ids.pop()!;
    // The last one replaces the removed one, so nothing else moves.
    if (place < ids.length) ids[place] = last;
    if (ids.length === 0) this.ids.delete(key);
  }
}

/** Words with the same first two letters share a bucket, or with the same first character of Han, kana or hangul. */
const headOf = (word: string) => (isWrittenWithoutSpaces(word) ? String.fromCodePoint(word.codePointAt(0) ?? 0) : word.slice(0, 2));
const tailOf = (word: string) => word.slice(-2);

/** The terms that the indexed texts contain now. A term has a small number as its id, which is reused after the term is removed. */
export class Vocabulary {
  private readonly ids = new Map<string, number>();
  private readonly terms: string[] = [];
  private readonly forms: Forms[] = [];
  private readonly free: number[] = [];
  private readonly byStem = new Buckets();
  private readonly byHead = new Buckets();
  private readonly byTail = new Buckets();

  constructor(private readonly analyser: Analyser) {}

  get size(): number {
    return this.ids.size;
  }

  /** The peak number of ids in use. */
  get capacity(): number {
    return this.terms.length;
  }

  idOf(term: string): number {
    const known = this.ids.get(term);
    if (known !== undefined) return known;
    const id = this.free.pop() ?? this.terms.length;
    // A slice of a long text would keep the whole text in memory. `join` makes a copy.
    const own = [...term].join('');
    const { word, stem } = this.analyser.formsOf(own);
    this.ids.set(own, id);
    this.terms[id] = own;
    this.forms[id] = { word, stem };
    this.byStem.add(stem, id);
    this.byHead.add(headOf(word), id);
    if (word.length >= MIN_TYPO - 1) this.byTail.add(tailOf(word), id);
    return id;
  }

  release(id: number): void {
    const { word, stem } = this.forms[id]!;
    this.ids.delete(this.terms[id]!);
    this.byStem.remove(stem, id);
    this.byHead.remove(headOf(word), id);
    if (word.length >= MIN_TYPO - 1) this.byTail.remove(tailOf(word), id);
    this.terms[id] = '';
    this.forms[id] = { word: '', stem: '' };
    this.free.push(id);
  }

  /** The terms that are this word or have its stem. */
  sameAs({ word, stem }: Forms): number[] {
    return [...this.byHead.of(headOf(word)), ...this.byStem.of(stem)].filter(
      (id) => this.forms[id]!.word === word || this.forms[id]!.stem === stem,
    );
  }

  /**
   * All terms that a word matches, by kind. One typo in five letters or more leaves the first two or the last two letters unchanged, so three
   * buckets contain all matches. A term may occur twice. The number is not limited: the choice of terms would depend on other documents, and so
   * would the score of a document.
   */
  matches(asked: QueryWord): Record<Kind, number[]> {
    const found: Record<Kind, number[]> = { exact: [], stem: [], prefix: [], typo: [] };
    const look = (ids: readonly number[]) => {
      for (const id of ids) {
        const kind = kindOf(asked, this.forms[id]!);
        if (kind) found[kind].push(id);
      }
    };
    look(this.byHead.of(headOf(asked.word)));
    look(this.byStem.of(asked.stem));
    if (asked.word.length >= MIN_TYPO) look(this.byTail.of(tailOf(asked.word)));
    return found;
  }
}
