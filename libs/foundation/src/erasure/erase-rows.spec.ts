import { describe, expect, it } from '@jest/globals';
import type { Ask } from '../cqrs/query.ts';
import type { Erasing } from './erasing.ts';
import { erasing } from './erase-rows.ts';

class Left {
  constructor(readonly userId: string) {}
}
class Removed {
  constructor(readonly userId: string) {}
}

describe('erasing the rows of a user', () => {
  it('sends a command for each row until none is left, and counts what was removed', async () => {
    const lamps = ['l1', 'l2', 'l3'];
    const commands = {
      execute: async ({ id, userId }: { id: string; userId: string }) => lamps.splice(lamps.indexOf(`${id}`), userId === 'ann' ? 1 : 0),
    };
    const queries = {
      execute: async (asked: Left | Removed) => (asked instanceof Left ? lamps.slice(0, 2) : asked.userId === 'ann' ? 3 : 0),
    };
    const erases = erasing({
      kind: 'lamps',
      left: Left as unknown as Ask<[string], readonly string[]>,
      removed: Removed as unknown as Ask<[string], number>,
      erase: (id, userId) => ({ id, userId }) as never,
    }) as unknown as new (...args: unknown[]) => Erasing;
    expect(await new erases(commands, queries).erase('ann')).toEqual({ lamps: 3 });
    expect(lamps).toEqual([]);
  });
});
