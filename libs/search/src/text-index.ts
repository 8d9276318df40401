import type { Analyser } from './analyser.ts';
import { Best, type Place } from './best.ts';
import { Documents } from './documents.ts';
import { type Phrase, queryOf } from './query.ts';
import { type Kind, KINDS, Vocabulary } from './vocabulary.ts';

export interface Texts {
  title: string;
  description: string;
}

/** Integers from 1 to 1,000: the worth of a match in each field. */
export type Weights = Record<keyof Texts, number>;

export interface SearchOptions<Doc> {
  /** Called for documents that match, and only if they would be among the hits. It must not change or search the index. */
  isVisible: (doc: Doc, id: string) => boolean;
  limit: number;
  /** The position of the last hit on the previous page. */
  after?: Place | undefined;
}

export interface SearchResult {
  hits: Place[];
  /** The position of the last hit, if more hits follow. */
  next: Place | null;
}

const WORTH: Record<Kind, number> = { exact: 8, stem: 6, prefix: 4, typo: 2 };
const MAX_WEIGHT = 1_000;
/**
 * Greater than the worth that any document can collect, so that a document with more words of the query always ranks before a document with
 * fewer.
 */
const PER_WORD = 2 ** 19;

const TITLE = 1;
const DESCRIPTION = 2;
const FIELD_BITS = 2;

/** Full-text index of short documents in memory. The score of a document depends on the query and the document alone. */
export class TextIndex<Doc> {
  private readonly vocabulary: Vocabulary;
  /** By term: the slots of the documents that contain it, unordered, each with the fields in its lowest bits. */
  private readonly postings: number[][] = [];
  private readonly documents = new Documents<Doc>();
  // Both are scratch space of one search, by slot.
  private scores = new Int32Array(0);
  private seen = new Uint8Array(0);

  /** Throws a RangeError if a weight is not an integer from 1 to 1,000. */
  constructor(
    private readonly analyser: Analyser,
    private readonly weights: Weights,
  ) {
    for (const weight of [weights.title, weights.description])
      if (!Number.isInteger(weight) || weight < 1 || weight > MAX_WEIGHT) throw new RangeError(`A weight is from 1 to ${MAX_WEIGHT}.`);
    this.vocabulary = new Vocabulary(analyser);
  }

  get size(): number {
    return this.documents.size;
  }

  get(id: string): Doc | undefined {
    const slot = this.documents.slotOf(id);
    return slot === undefined ? undefined : this.documents.docs[slot];
  }

  /** What the index contains, and the memory it has taken: the peak numbers of terms, documents and their terms. */
  footprint(): { documents: number; terms: number; postings: number; room: [terms: number, documents: number, numbers: number] } {
    const postings = this.postings.reduce((sum, list) => sum + list.length, 0);
    const room: [number, number, number] = [this.vocabulary.capacity, this.documents.slotCount, this.documents.room];
    return { documents: this.size, terms: this.vocabulary.size, postings, room };
  }

  /** Adds a document, or replaces the one with this id. */
  put(id: string, { title, description }: Texts, doc: Doc): void {
    const ofTitle = this.analyser.terms(title);
    const terms = [...ofTitle, ...this.analyser.terms(description)];
    this.remove(id);
    const slot = this.documents.add(id, doc, ofTitle.length, terms.length);
    terms.forEach(({ text }, index) => {
      const term = this.vocabulary.idOf(text);
      const list = (this.postings[term] ??= []);
      const field = index < ofTitle.length ? TITLE : DESCRIPTION;
      const last = list.at(-1);
      // If the document already had this term, the term's list ends with the document.
      const isKnown = last !== undefined && last >> FIELD_BITS === slot;
      this.documents.setTerm(slot, index, term, isKnown ? -1 : list.length);
      if (isKnown) list[list.length - 1] = last | field;
      else list.push((slot << FIELD_BITS) | field);
    });
  }

  remove(id: string): void {
    const slot = this.documents.slotOf(id);
    if (slot === undefined) return;
    this.documents.forEachTerm(slot, (term, place) => this.dropPosting(term, place));
    this.documents.remove(slot);
  }

  /** The visible documents that contain more than half of the words and all phrases of a query, best first. A query without words finds nothing. */
  search(text: string, { isVisible, limit, after }: SearchOptions<Doc>): SearchResult {
    const { words, phrases } = queryOf(text, this.analyser);
    if (words.length === 0 || limit < 1) return { hits: [], next: null };
    this.clearScratch();
    for (const word of words) this.addScores(this.vocabulary.matches(word));
    for (const phrase of phrases) this.dropScoresWithout(phrase);

    const { documents, scores } = this;
    // One more than the limit shows whether more hits follow.
    const best = new Best(limit + 1, after);
    let least = (Math.floor(words.length / 2) + 1) * PER_WORD;
    for (let slot = 0; slot < documents.slotCount; slot++) {
      const score = scores[slot]!;
      if (score < least || !best.mayAdmit(score, documents.keys[slot]!)) continue;
      const id = documents.ids[slot]!;
      if (best.admits(score, id) && isVisible(documents.docs[slot]!, id)) {
        best.add(score, id);
        least = Math.max(least, best.least);
      }
    }
    const places = best.inOrder();
    const hits = places.slice(0, limit);
    return { hits, next: places.length > limit ? hits.at(-1)! : null };
  }

  /** Adds the worth of one query word to the documents that contain it. In each field, the best kind counts once. */
  private addScores(matches: Record<Kind, number[]>): void {
    const { scores, seen } = this;
    seen.fill(0);
    for (const kind of KINDS) {
      const title = WORTH[kind] * this.weights.title;
      const description = WORTH[kind] * this.weights.description;
      const worths = [0, title, description, title + description];
      for (const term of matches[kind]) {
        const list = this.postings[term]!;
        for (let at = 0; at < list.length; at++) {
          const posting = list[at]!;
          const slot = posting >> FIELD_BITS;
          const known = seen[slot]!;
          const fresh = posting & (TITLE | DESCRIPTION) & ~known;
          if (fresh === 0) continue;
          seen[slot] = known | fresh;
          scores[slot]! += worths[fresh]! + (known === 0 ? PER_WORD : 0);
        }
      }
    }
  }

  /** Resets the score of documents without the phrase: its words or their stems next to each other in one field. */
  private dropScoresWithout(phrase: Phrase): void {
    const { scores, seen, documents } = this;
    // By term: a bit for each word of the phrase that the term matches.
    const bits = new Uint16Array(this.postings.length);
    seen.fill(0);
    const variants = phrase.map(({ forms }, index) => {
      const terms = [...new Set(this.vocabulary.sameAs(forms))];
      for (const term of terms) {
        bits[term]! |= 1 << index;
        // After all words, `seen` is the length of the phrase in documents that contain all of them.
        for (const posting of this.postings[term]!) if (seen[posting >> FIELD_BITS] === index) seen[posting >> FIELD_BITS] = index + 1;
      }
      return terms;
    });
    // Only occurrences of the word with the fewest forms are checked: comparing numbers is faster than reading `bits`.
    const anchor = variants.reduce((least, terms, index) => (terms.length < variants[least]!.length ? index : least), 0);
    for (let slot = 0; slot < documents.slotCount; slot++) {
      if (scores[slot] === 0) continue;
      const hasWords = seen[slot] === phrase.length;
      if (!hasWords || (phrase.length > 1 && !this.hasPhrase(slot, phrase, bits, variants[anchor]!, anchor))) scores[slot] = 0;
    }
  }

  private hasPhrase(slot: number, phrase: Phrase, bits: Uint16Array, anchors: number[], anchor: number): boolean {
    const { page, from, titleEnd, end } = this.documents.termsOf(slot);
    const before = phrase[anchor]!.distance;
    const reach = phrase.at(-1)!.distance;
    const last = end - reach + before;
    for (const term of anchors)
      for (let at = from + before; at < last; at++) {
        if (page[at] !== term) continue;
        const start = at - before;
        if ((start >= titleEnd || start + reach < titleEnd) && isPhraseAt(page, start, phrase, bits)) return true;
      }
    return false;
  }

  /** Removes one document from the list of a term. The last entry of the list moves to its place. */
  private dropPosting(term: number, place: number): void {
    const list = this.postings[term]!;
    const last = list.pop()!;
    if (place < list.length) {
      list[place] = last;
      this.documents.movePlace(last >> FIELD_BITS, term, place);
    }
    if (list.length === 0) {
      this.vocabulary.release(term);
      this.postings[term] = [];
    }
  }

  private clearScratch(): void {
    if (this.scores.length === this.documents.capacity) {
      this.scores.fill(0);
      return;
    }
    this.scores = new Int32Array(this.documents.capacity);
    this.seen = new Uint8Array(this.documents.capacity);
  }
}

function isPhraseAt(page: Int32Array, at: number, phrase: Phrase, bits: Uint16Array): boolean {
  for (let index = 0; index < phrase.length; index++) if ((bits[page[at + phrase[index]!.distance]!]! & (1 << index)) === 0) return false;
  return true;
}
