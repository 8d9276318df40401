import { byDate } from './date-groups.ts';

const now = new Date(2026, 10, 23, 9, 30);
const at = (...time: [number, number, number, number?]) => ({
  last_message_time: new Date(...(time as [number, number, number])).getTime() / 1_000,
});

describe('the groups of chats', () => {
  it('are days in the local time zone, then months', () => {
    const chats = [
      at(2026, 10, 23),
      at(2026, 10, 22, 23),
      at(2026, 10, 22),
      at(2026, 10, 18),
      at(2026, 10, 1),
      at(2026, 9, 20),
      at(2026, 9, 2),
      at(2025, 9, 2),
    ];
    expect(byDate(chats, now).map(({ group, items }) => [group, items.length])).toEqual([
      ['today', 1],
      ['yesterday', 2],
      ['week', 1],
      ['month', 1],
      [{ year: 2026, month: 9 }, 2],
      [{ year: 2025, month: 9 }, 1],
    ]);
  });
  it('begin at midnight, 7 and 30 days before this one', () => {
    const groupOf = (...time: Parameters<typeof at>) => byDate([at(...time)], now)[0]!.group;
    expect([groupOf(2026, 10, 16), groupOf(2026, 10, 15, 23)]).toEqual(['week', 'month']);
    expect([groupOf(2026, 9, 24), groupOf(2026, 9, 23, 22)]).toEqual(['month', { year: 2026, month: 9 }]);
  });
  it('count a chat from a clock that is ahead as today', () => expect(byDate([at(2026, 10, 24)], now)[0]!.group).toBe('today'));
});
