/** The first items of an iterator. If there is one more, `last` replaces it, and the iterator is read no further. */
export async function* atMost<Item, Last>(
  items: AsyncIterable<Item>,
  most: number,
  last: (beyond: Item) => Last,
): AsyncGenerator<Item | Last> {
  let count = 0;
  for await (const item of items) {
    if (++count > most) {
      yield last(item);
      return;
    }
    yield item;
  }
}
