/** The most owners whose last turn is remembered. */
const MOST_OWNERS = 10_000;

/** Lets owners take turns: a thousand runs of one owner do not delay another owner's run. */
export class Turns {
  /** The owners that had a turn, the last one at the end. */
  private readonly had = new Map<string, number>();
  private turn = 0;

  /** Removes and returns the first row of an eligible owner: the one whose last turn is longest ago. */
  next<Row extends { readonly owner_user_id: string }>(waiting: Row[], mayHave: (owner: string) => boolean = () => true): Row | undefined {
    const may = new Map<string, boolean>();
    let first = -1;
    for (const [index, row] of waiting.entries()) {
      const owner = row.owner_user_id;
      if (!may.has(owner)) may.set(owner, mayHave(owner));
      if (may.get(owner) && (first < 0 || this.last(row) < this.last(waiting[first]!))) first = index;
    }
    if (first < 0) return undefined;
    const [row] = waiting.splice(first, 1);
    this.note(row!.owner_user_id);
    return row;
  }

  private last({ owner_user_id: owner }: { readonly owner_user_id: string }): number {
    return this.had.get(owner) ?? 0;
  }

  private note(owner: string): void {
    this.had.delete(owner);
    this.had.set(owner, ++this.turn);
    if (this.had.size > MOST_OWNERS) this.had.delete(this.had.keys().next().value!);
  }
}
