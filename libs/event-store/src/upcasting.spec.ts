import { describe, expect, it } from '@jest/globals';
import { NewerEvent, Upcasters } from './upcasting.ts';

const upcasters = new Upcasters({
  Named: [({ name, ...rest }) => ({ ...rest, first: name }), ({ first, ...rest }) => ({ ...rest, first, last: null })],
});
const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('an upcaster', () => {
  it('upgrades an event of each schema to the current one', () => {
    const present = { id, schema: 3, event: { type: 'Named', first: 'Ada', last: null } };
    expect(upcasters.present({ id, schema: 1, event: { type: 'Named', name: 'Ada' } as { type: string } })).toEqual(present);
    expect(upcasters.present({ id, schema: 2, event: { type: 'Named', first: 'Ada' } as { type: string } })).toEqual(present);
    expect(upcasters.present(present)).toBe(present);
  });

  it('does not change events of unknown types, whatever their names', () => {
    for (const type of ['Other', 'constructor', '__proto__']) {
      expect(upcasters.present({ id, schema: 1, event: { type } })).toEqual({ id, schema: 1, event: { type } });
      expect(upcasters.record([{ type }])).toMatchObject([{ schema: 1, event: { type } }]);
    }
  });

  it('refuses a newer event', () => {
    expect(() => upcasters.present({ id, schema: 4, event: { type: 'Named' } })).toThrow(NewerEvent);
    expect(() => upcasters.present({ id, schema: 2, event: { type: 'Other' } })).toThrow(/Other was written by a newer version \(schema 2/);
  });

  it('marks new events with the current schema, and gives them ascending IDs', () => {
    const recorded = upcasters.record(Array.from({ length: 1_000 }, () => ({ type: 'Named' })));
    expect(recorded.every(({ schema }) => schema === 3)).toBe(true);
    const ids = recorded.map((one) => one.id);
    expect([...new Set(ids)].sort()).toEqual(ids);
  });
});
