/**
 * Works on the items of an iterator, several at the same time. Reads the next item only when one of them is done. Rejects with the first
 * error, when the work in progress has ended.
 */
export async function inTurnsAtOnce<Item>(items: AsyncIterable<Item>, atOnce: number, work: (item: Item) => Promise<void>): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | null = null;
  try {
    for await (const item of items) {
      const one = work(item)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => underWay.delete(one));
      underWay.add(one);
      if (underWay.size >= atOnce) await Promise.race(underWay);
      if (failure) break;
    }
  } finally {
    await Promise.all(underWay);
  }
  if (failure) throw (failure as { readonly error: unknown }).error;
}
