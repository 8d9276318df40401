import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { add, patch, put } from './changes.ts';
import { type At, foreignProjection, projection } from './projection.ts';
import { table } from './table.ts';

type BotEvent = { type: 'BotCreated'; botId: string; owner: string } | { type: 'BotPinned' };

interface BotRow {
  readonly owner_user_id: string;
  readonly status: 'ACTIVE' | 'PINNED';
  readonly uses: number;
}

const rows = table<BotRow>('bots', { byOwner: ['owner_user_id', 'status'] });
const bots = projection<BotEvent>({
  name: 'bots',
  version: 1,
  tables: [rows],
  on: {
    BotCreated: (event) => [put(rows, event.botId, { owner_user_id: event.owner, status: 'ACTIVE', uses: 0 })],
    BotPinned: (_, at) => [patch(rows, at.stream, { status: 'PINNED' })],
  },
});
const at: At = {
  stream: 'b1',
  version: 2,
  position: 9,
  id: 'e',
  metadata: { at: Instant.ofMillis(1), actor: null, ip: null, userAgent: null, requestId: 'r', correlationId: 'c', causationId: null },
};

describe('a projection', () => {
  it('determines what an event changes', () => {
    expect(bots.changes({ type: 'BotPinned' }, at)).toEqual([{ op: 'patch', table: rows, key: 'b1', fields: { status: 'PINNED' } }]);
  });

  it.each(['BotShared', 'constructor', '__proto__'])('ignores %s, which it does not name', (type) => {
    expect(bots.changes({ type }, at)).toEqual([]);
    expect(foreignProjection({ name: 'other', version: 1, tables: [], on: {} }).changes({ id: '1', type })).toEqual([]);
  });

  it('is typed by its events and its rows', () => {
    projection<BotEvent>({
      name: 'typed',
      version: 1,
      tables: [rows],
      on: {
        // @ts-expect-error: there is no such event
        BotShred: () => [],
        BotCreated: (event) => [
          // @ts-expect-error: a row has all its fields
          put(rows, event.botId, { owner_user_id: event.owner }),
          // @ts-expect-error: only numbers can be added to
          add(rows, event.botId, { status: 1 }, { owner_user_id: '', uses: 0 }),
          add(rows, event.botId, { uses: 1 }, { owner_user_id: event.owner, status: 'ACTIVE' }),
          // @ts-expect-error: not a status
          patch(rows, event.botId, { status: 'LOST' }),
        ],
      },
    });
    // @ts-expect-error: rows have no such field
    expect(table<BotRow>('bots', { byColour: ['colour'] })).toBeDefined();
  });

  it('cannot be declared without a version, or with a name that a store would misinterpret', () => {
    const spec = { name: 'bots', version: 1, tables: [rows], on: {} };
    expect(() => projection({ ...spec, version: 0 })).toThrow(TypeError);
    expect(() => projection({ ...spec, name: 'bots@2' })).toThrow(TypeError);
    expect(() => projection({ ...spec, tables: [rows, rows] })).toThrow(TypeError);
  });
});
