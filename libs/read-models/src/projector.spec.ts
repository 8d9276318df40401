import { afterEach, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@parlance/event-store';
import fc from 'fast-check';
import {
  type AccountEvent,
  accounts,
  accountsProjection,
  all,
  atEnd,
  both,
  endAll,
  history,
  oracle,
  totals,
  totalsProjection,
  world,
} from '../test/accounts.ts';
import { put } from './changes.ts';
import { type Failure, NotYetIncluded } from './follower.ts';
import { projection } from './projection.ts';
import { Projector } from './projector.ts';
import { ProjectionStopped } from './runner.ts';

afterEach(endAll);

describe('a projector', () => {
  it('makes the same rows batch by batch, over crashes, from nothing, and as an oracle tells', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.array(fc.nat({ max: 40 }), { maxLength: 3 }), async (commits, crashes) => {
        const { append, run, models } = await world();
        let projector = await run(both);
        for (const [number, { stream, events }] of commits.entries()) {
          const position = await append(stream, ...events);
          if (number % 7 === 0) await projector.includes(position);
          if (!crashes.includes(number)) continue;
          // Another one begins while the first is still at work: what is left of it is refused or done, never both.
          projector = await run(both);
        }
        await projector.includes(commits.length);
        await models.prepare(both);
        expect(await all(models)).toEqual(oracle(commits));
        for (const { name } of both) expect((await projector.rebuild(name)).differing).toEqual([]);
        expect(await all(models)).toEqual(oracle(commits));
        await endAll();
      }),
      { numRuns: 15 },
    );
  });

  it('lets every writer read its own write at once, several processes at work', async () => {
    const { append, run, models } = await world();
    const projectors = [await run(both), await run(both), await run(both)];
    const writers = Array.from({ length: 30 }, async (_, number) => {
      const stream = `account-${number}`;
      await append(stream, { type: 'Opened', owner: 'ann' });
      for (let amount = 1; amount <= 5; amount += 1) {
        const position = await append(stream, { type: 'Deposited', amount });
        await projectors[number % 3]!.includes(position);
        expect((await models.get(accounts, stream))?.balance).toBe((amount * (amount + 1)) / 2);
      }
    });
    await models.prepare(both);
    await Promise.all(writers);
    expect(await models.get(totals, 'all')).toEqual({ deposits: 150, sum: 450 });
  });

  it('reads each commit once for the projections that stand at one place', async () => {
    const { append, store, models } = await world();
    for (let number = 0; number < 20; number += 1) await append('a', { type: 'Deposited', amount: 1 });
    let reads = 0;
    const counted = Object.create(store, {
      readAll: { value: (after: number, limit: number) => ((reads += after === 0 ? 1 : 0), store.readAll(after, limit)) },
    }) as EventStore;
    const projector = new Projector({ store: counted, models, projections: both });
    atEnd(() => projector.stop());
    await projector.start();
    await projector.includes(20);
    expect(reads).toBe(1);
    expect(await projector.lag()).toEqual(both.map(({ name }) => ({ projection: name, checkpoint: 20, behind: 0, stopped: null })));
  });

  it('stops the projection alone that a handler fails, before the commit that it fails on', async () => {
    const { append, run, models } = await world();
    const poisoned = projection<AccountEvent>({
      ...accountsProjection,
      on: {
        Opened: ({ owner }, { stream }) => {
          if (owner === 'poison') throw new Error('no such owner');
          return [put(accounts, stream, { owner, balance: 0, names: [] })];
        },
      },
    });
    const failures: Failure[] = [];
    await append('a', { type: 'Opened', owner: 'ann' });
    await append('b', { type: 'Opened', owner: 'poison' });
    const last = await append('c', { type: 'Deposited', amount: 4 });
    const projector = await run([poisoned, totalsProjection], (failure) => failures.push(failure));
    await expect(projector.includes(last)).rejects.toThrow('projection accounts stopped before position 2: no such owner');
    await projector.includes(1);
    await models.prepare(both);
    expect(await all(models)).toMatchObject({ accounts: { a: { owner: 'ann' } } });
    expect(failures).toEqual([{ projection: 'accounts', error: expect.any(ProjectionStopped), stopped: true }]);
    const [stopped, others] = await projector.lag();
    expect([stopped!.checkpoint, stopped!.behind, others!.projection]).toEqual([1, 2, 'totals']);
  });

  it('counts what came before a change that can not be carried out', async () => {
    const { append, run, models } = await world();
    await append('a', { type: 'Deposited', amount: 1 });
    await append('a', { type: 'Deposited', amount: Number.MAX_SAFE_INTEGER });
    const last = await append('a', { type: 'Deposited', amount: 1 });
    const projector = await run([totalsProjection]);
    await expect(projector.includes(last)).rejects.toThrow(/totals stopped before position 2: .*would not be exact/);
    await models.prepare(both);
    expect(await models.get(totals, 'all')).toEqual({ deposits: 1, sum: 1 });
  });

  it('rejects rather than wait for ever for what the log does not have', async () => {
    const { run } = await world();
    const projector = await run(both, undefined, 50);
    await expect(projector.includes(7)).rejects.toThrow(NotYetIncluded);
    const waiting = run(both).then((other) => [other.includes(7), other.stop()] as const);
    await expect((await waiting)[0]).rejects.toThrow('the projector was stopped');
  });

  it('goes on by itself when the read models could not be reached for a while', async () => {
    const { append, models, store } = await world();
    const position = await append('a', { type: 'Deposited', amount: 1 });
    let outages = 1;
    const failures: Failure[] = [];
    const shaky = Object.create(store, {
      readAll: {
        value: (after: number, limit: number) => (outages-- > 0 ? Promise.reject(new Error('away')) : store.readAll(after, limit)),
      },
    }) as EventStore;
    const projector = new Projector({ store: shaky, models, projections: both, onError: (failure) => failures.push(failure) });
    atEnd(() => projector.stop());
    await projector.start();
    await projector.includes(position);
    expect(failures).toEqual([{ projection: null, error: new Error('away'), stopped: false }]);
  });
});
