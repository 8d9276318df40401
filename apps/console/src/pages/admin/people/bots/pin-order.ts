/** A pinned bot with its position in the store, which the API encodes as `pinned@NNN`. */
export interface Pin {
  readonly id: string;
  readonly order: number;
}

const [FIRST, LAST] = [1, 999];
/** The gap that lets another bot move in between with one request. */
const STEP = 10;

/** Null for a bot that is not pinned. */
export function orderOf(status: string): number | null {
  const found = /^pinned@(\d+)$/.exec(status);
  return found ? Number(found[1]) : null;
}

export const statusOf = (order: number): string => `pinned@${String(order).padStart(3, '0')}`;

/** The list with one bot moved to another position. */
export function moved<Item>(list: readonly Item[], from: number, to: number): readonly Item[] {
  const others = list.filter((_, at) => at !== from);
  return [...others.slice(0, to), list[from]!, ...others.slice(to)];
}

/**
 * The orders to set after a bot was moved to the position `at`: only the order of this bot if there is a gap between its neighbours,
 * otherwise the orders of all bots that change. Null if there are more bots than orders.
 */
export function ordersFor(list: readonly Pin[], at: number): readonly Pin[] | null {
  const before = at === 0 ? FIRST - 1 : list[at - 1]!.order;
  const after = at === list.length - 1 ? Math.min(LAST + 1, before + 2 * STEP) : list[at + 1]!.order;
  if (after - before > 1) return [{ id: list[at]!.id, order: Math.floor((before + after) / 2) }];
  const step = Math.min(STEP, Math.floor(LAST / list.length));
  if (step < 1) return null;
  return list
    .map(({ id }, index) => ({ id, order: (index + 1) * step }))
    .filter(({ order }, index) => order !== list[index]!.order || index === at);
}
