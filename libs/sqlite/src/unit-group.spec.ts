import { describe, expect, it } from '@jest/globals';
import { WriteFailed } from './errors.ts';
import { runGroup, type Unit } from './unit-group.ts';

describe('a group of units', () => {
  it('fails all units that wait when the file is locked, however many they are', () => {
    const database = { isTransaction: false } as never;
    const locked = () => {
      throw Object.assign(new Error('database is locked'), { errcode: 5 });
    };
    const unit: Unit = { work: () => undefined, resolve: () => undefined, reject: () => undefined };
    const queue = Array.from({ length: 300_000 }, () => unit);
    const { outcomes, written } = runGroup(database, { run: locked } as never, queue);
    expect([outcomes.length, queue.length, written]).toEqual([300_000, 0, false]);
    expect(outcomes.at(-1)).toMatchObject({ error: expect.any(WriteFailed) });
  });
});
