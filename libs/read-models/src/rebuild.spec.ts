import { afterEach, describe, expect, it } from '@jest/globals';
import { type AccountEvent, accounts, accountsProjection, both, endAll, totals, totalsProjection, world } from '../test/accounts.ts';
import { put } from './changes.ts';
import type { Failure } from './follower.ts';
import { projection } from './projection.ts';
import { ProjectionStopped } from './runner.ts';

afterEach(endAll);

describe('rebuilding', () => {
  it('finds a row that was changed by hand, and puts it right', async () => {
    const { append, run, models, file } = await world();
    await append('a', { type: 'Opened', owner: 'ann' });
    const last = await append('b', { type: 'Opened', owner: 'bob' });
    const projector = await run(both);
    await projector.includes(last);
    await file.write([{ sql: `UPDATE "accounts@1" SET row = json_set(row, '$.owner', 'eve') WHERE key = 'b'`, expect: 1 }]);
    expect(await projector.rebuild('accounts')).toEqual({ rows: 2, differing: ['accounts/b'] });
    await models.prepare(both);
    expect((await models.get(accounts, 'b'))?.owner).toBe('bob');
    expect(file.all(`SELECT name FROM sqlite_master WHERE name LIKE 'accounts@1%'`)).toEqual([]);
  });

  it('serves the old rows and goes on updating them meanwhile, and differs in nothing for it', async () => {
    const { append, run, models } = await world();
    for (let number = 0; number < 300; number += 1) await append(`s${number}`, { type: 'Opened', owner: 'ann' });
    const projector = await run(both);
    await models.prepare(both);
    const progress = { over: false };
    const rebuilt = projector.rebuild('accounts').finally(() => (progress.over = true));
    let writes = 0;
    for (let number = 0; !progress.over || number < 5; number += 1) {
      await projector.includes(await append(`s${number % 300}`, { type: 'Deposited', amount: 1 }));
      expect((await models.get(accounts, `s${number % 300}`))?.balance).toBe(Math.floor(number / 300) + 1);
      writes += 1;
    }
    expect(await rebuilt).toEqual({ rows: 300, differing: [] });
    expect((await models.get(totals, 'all'))?.deposits).toBe(writes);
  });

  it('leaves the living rows as they were when it crashes, and the next try starts clean', async () => {
    const { append, run, models } = await world();
    const last = await append('a', { type: 'Opened', owner: 'ann' });
    const projector = await run(both);
    await projector.includes(last);
    await models.prepare(both);
    // As a process leaves it that was killed half way: claimed, with rows, its lease run out.
    const dead = (await models.builds.begin(accountsProjection, 'dead', 0))!;
    await models.at(dead).apply({
      projection: 'accounts',
      checkpoint: { from: 0, to: 1 },
      changes: [put(accounts, 'ghost', { owner: 'x', balance: 0, names: [] })],
    });
    expect(await models.get(accounts, 'ghost')).toBeNull();
    expect(await projector.rebuild('accounts')).toEqual({ rows: 1, differing: [] });
    expect(await models.get(accounts, 'ghost')).toBeNull();
    expect(await models.get(accounts, 'a')).toMatchObject({ owner: 'ann' });
  });

  it('leaves the living rows as they were when a handler throws', async () => {
    const { append, run, models } = await world();
    await (await run(both)).includes(await append('a', { type: 'Opened', owner: 'ann' }));
    const broken = projection<AccountEvent>({
      ...accountsProjection,
      on: {
        Opened: () => {
          throw new Error('broken');
        },
      },
    });
    await expect((await run([broken])).rebuild('accounts')).rejects.toThrow(ProjectionStopped);
    await models.prepare(both);
    expect(await models.get(accounts, 'a')).toMatchObject({ owner: 'ann' });
    expect(await (await run(both)).rebuild('accounts')).toEqual({ rows: 1, differing: [] });
  });

  it('follows a new version of the functions, the old rows serving until then', async () => {
    const { append, run, models } = await world();
    const old = await run(both);
    await old.includes(await append('a', { type: 'Opened', owner: 'ann' }));
    await old.stop();
    const shouting = projection<AccountEvent>({
      ...accountsProjection,
      version: 2,
      on: { Opened: ({ owner }, { stream }) => [put(accounts, stream, { owner: owner.toUpperCase(), balance: 0, names: [] })] },
    });
    await models.prepare(both);
    expect((await models.get(accounts, 'a'))?.owner).toBe('ann');
    // Two processes of the new version at once: one of them builds, both end up on it.
    const [one, other] = await Promise.all([run([shouting, totalsProjection]), run([shouting, totalsProjection])]);
    await Promise.all([one.upgraded(), other.upgraded()]);
    expect(await models.builds.living('accounts')).toMatchObject({ version: 2, checkpoint: 1 });
    expect((await models.get(accounts, 'a'))?.owner).toBe('ANN');
    const position = await append('b', { type: 'Opened', owner: 'bob' });
    await Promise.all([one.includes(position), other.includes(position)]);
    expect((await models.get(accounts, 'b'))?.owner).toBe('BOB');
    // One that is older than the rows reads them and leaves them alone.
    const older = await run(both);
    const later = await append('c', { type: 'Opened', owner: 'cid' });
    await older.includes(later);
    expect((await models.get(accounts, 'c'))?.owner).toBe('CID');
  });

  it('says so when a new version of the functions can not be followed', async () => {
    const { append, run } = await world();
    const position = await append('a', { type: 'Opened', owner: 'ann' });
    await (await run(both)).includes(position);
    const broken = projection<AccountEvent>({
      ...accountsProjection,
      version: 2,
      on: {
        Opened: () => {
          throw new Error('broken');
        },
      },
    });
    const failures: Failure[] = [];
    const projector = await run([broken], (failure) => failures.push(failure));
    await expect(projector.upgraded()).rejects.toThrow('projection accounts stopped before position 1: broken');
    expect(failures).toMatchObject([{ projection: 'accounts', stopped: true }]);
    await projector.includes(position);
    await expect(projector.includes(position + 1)).rejects.toThrow(ProjectionStopped);
  });
});
