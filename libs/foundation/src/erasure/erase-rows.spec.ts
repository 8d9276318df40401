import { describe, expect, it } from '@jest/globals';
import { table } from '@parlance/read-models';
import type { Erasing } from './erasing.ts';
import { erasing } from './erase-rows.ts';

const lampRows = table<{ owner: string }>('lamps', { byOwner: ['owner'] });
const erasedRows = table<{ lamps: number }>('erased_lamps');
const erase = (id: string, userId: string) => ({ id, userId }) as never;

describe('erasing the rows of a user', () => {
  it('sends a command for each row, in pages of limited count and bytes, until none is left, and counts what was removed', async () => {
    const lamps = ['l1', 'l2', 'l3'];
    const commands = {
      execute: async ({ id, userId }: { id: string; userId: string }) => lamps.splice(lamps.indexOf(id), userId === 'ann' ? 1 : 0),
    };
    const models = {
      find: async (rows: unknown, { index, where, limit, bytes }: { index: string; where: object; limit: number; bytes: number }) => {
        expect([rows, index, where]).toEqual([lampRows, 'byOwner', { owner: 'ann' }]);
        expect({ limit, bytes }).toEqual({ limit: 1_000, bytes: 1_048_576 });
        return { keys: lamps.slice(0, 2), rows: [], next: null };
      },
      get: async (rows: unknown, key: string) => (rows === erasedRows && key === 'ann' ? { lamps: 3 } : null),
    };
    const Erases = erasing({ rows: lampRows, index: 'byOwner', removed: erasedRows, erase }) as unknown as new (
      ...args: unknown[]
    ) => Erasing;
    expect(await new Erases(commands, models).erase('ann')).toEqual({ lamps: 3 });
    expect(lamps).toEqual([]);
  });
  it('counts nothing for a user without rows', async () => {
    const models = { find: async () => ({ keys: [], rows: [], next: null }), get: async () => null };
    const Erases = erasing({ rows: lampRows, index: 'byOwner', removed: erasedRows, erase }) as unknown as new (
      ...args: unknown[]
    ) => Erasing;
    expect(await new Erases({}, models).erase('ben')).toEqual({ lamps: 0 });
  });
  it('needs an index of the table', () =>
    expect(() => erasing({ rows: lampRows, index: 'byColour', removed: erasedRows, erase })).toThrow(
      'The table lamps has no index byColour.',
    ));
});
