/** The position of a document in the result of a query. A search continues after it. */
export interface Place {
  score: number;
  id: string;
}

/** The order of a result: a higher score first, then a higher id. */
const isBefore = (score: number, id: string, than: Place): boolean => score > than.score || (score === than.score && id > than.id);

const KEY_LENGTH = 7;
const KEY_BASE = 128;

/** A number for the beginning of an id: of two ids, the higher one never has the lower key. Comparing keys avoids reading most of the ids. */
export function keyOf(id: string): number {
  let key = 0;
  let isReadable = true;
  for (let at = 0; at < KEY_LENGTH; at++) {
    const digit: number = isReadable && at < id.length ? Math.min(id.charCodeAt(at) + 1, KEY_BASE - 1) : 0;
    // Characters from here on share a digit, so the characters after one of them must not count.
    isReadable &&= digit < KEY_BASE - 1;
    key = key * KEY_BASE + digit;
  }
  return key;
}

interface Edge extends Place {
  key: number;
}

const edgeAt = ({ score, id }: Place): Edge => ({ score, id, key: keyOf(id) });

/** Keeps the first places after the given one. */
export class Best {
  private places: Place[] = [];
  /** Only places before this one are kept. */
  private last: Edge = { score: -1, id: '', key: 0 };
  /** Only places after this one are kept. */
  private readonly first: Edge;

  constructor(
    private readonly count: number,
    after: Place | undefined,
  ) {
    this.first = after ? edgeAt(after) : { score: Infinity, id: '', key: 0 };
  }

  /** Places with a lower score are not kept. */
  get least(): number {
    return this.last.score;
  }

  /** False if the place is not kept regardless of the rest of its id. */
  mayAdmit(score: number, key: number): boolean {
    const { last, first } = this;
    return (
      (score > last.score || (score === last.score && key >= last.key)) &&
      (score < first.score || (score === first.score && key <= first.key))
    );
  }

  admits(score: number, id: string): boolean {
    return isBefore(score, id, this.last) && isBefore(this.first.score, this.first.id, { score, id });
  }

  add(score: number, id: string): void {
    this.places.push({ score, id });
    if (this.places.length >= 2 * this.count) this.cut();
  }

  inOrder(): Place[] {
    this.cut();
    return this.places;
  }

  private cut(): void {
    this.places.sort((a, b) => (isBefore(a.score, a.id, b) ? -1 : 1));
    this.places.length = Math.min(this.places.length, this.count);
    const last = this.places.at(-1);
    if (last && this.places.length === this.count) this.last = edgeAt(last);
  }
}
