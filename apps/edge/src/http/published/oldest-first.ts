interface Link<Item> {
  readonly item: Item;
  older: Link<Item> | null;
  newer: Link<Item> | null;
}

/**
 * Items in the order in which they were added. A `Set` has the same order, but each look-up of its first item passes over items that were
 * deleted before: 40 µs at 20,000 items.
 */
export class OldestFirst<Item> {
  private readonly links = new Map<Item, Link<Item>>();
  private first: Link<Item> | null = null;
  private last: Link<Item> | null = null;

  get oldest(): Item | undefined {
    return this.first?.item;
  }

  /** An item that is already present keeps its position. */
  add(item: Item): void {
    if (this.links.has(item)) return;
    const link: Link<Item> = { item, older: this.last, newer: null };
    if (this.last) this.last.newer = link;
    else this.first = link;
    this.last = link;
    this.links.set(item, link);
  }

  delete(item: Item): void {
    const link = this.links.get(item);
    if (!link) return;
    this.links.delete(item);
    if (link.older) link.older.newer = link.newer;
    else this.first = link.newer;
    if (link.newer) link.newer.older = link.older;
    else this.last = link.older;
  }
}
