import { moved, orderOf, ordersFor, type Pin, statusOf } from './pin-order.ts';

const pins = (...orders: number[]): Pin[] => orders.map((order, at) => ({ id: `bot-${at}`, order }));
/** The list after the orders are set. */
const sequence = (list: readonly Pin[], changes: readonly Pin[]) => {
  const set = new Map(changes.map(({ id, order }) => [id, order]));
  return list.map(({ id, order }) => set.get(id) ?? order);
};

describe('the order of pinned bots', () => {
  it('is read from the status', () => {
    expect(orderOf('pinned@007')).toBe(7);
    expect(orderOf('shared')).toBeNull();
    expect(statusOf(7)).toBe('pinned@007');
  });

  it('moves a bot to another position', () => {
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  });

  it('changes one bot if there is a gap', () => {
    const list = pins(10, 40, 20);
    expect(ordersFor(list, 1)).toEqual([{ id: 'bot-1', order: 15 }]);
  });

  it('puts a bot before the first and after the last', () => {
    expect(ordersFor(pins(30, 10, 20), 0)).toEqual([{ id: 'bot-0', order: 5 }]);
    expect(ordersFor(pins(10, 20, 5), 2)).toEqual([{ id: 'bot-2', order: 30 }]);
  });

  it.each([
    [[10, 900, 11], 1],
    [[1, 1, 1], 1],
    [[5, 1, 2], 0],
    [[998, 999, 1], 2],
  ])('renumbers all bots if there is no gap: %j', (orders, at) => {
    const list = pins(...orders);
    const after = sequence(list, ordersFor(list, at)!);
    expect(after).toEqual([...new Set(after)].sort((one, other) => one - other));
    expect(after.every((order) => order >= 1 && order <= 999)).toBe(true);
  });

  it('refuses more bots than there are orders', () => expect(ordersFor(pins(...Array.from({ length: 1_000 }, () => 1)), 1)).toBeNull());

  it('gives the first pinned bot an order', () => expect(ordersFor(pins(0), 0)).toEqual([{ id: 'bot-0', order: 10 }]));
});
