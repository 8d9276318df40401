import { afterEach, describe, expect, it } from '@jest/globals';
import { accounts, breaking, endAll, metadata, totals, totalsProjection, world } from '../../test/accounts.ts';
import { OwnRunner } from './own.ts';
import { redriveOwn } from './redrive.ts';

afterEach(endAll);

let isBroken = false;
const parking = breaking(() => isBroken, { onError: 'park' });

const commit = (position: number, type: string) => ({
  position,
  stream: 's',
  version: position,
  metadata,
  events: [{ id: `e${position}`, schema: 1, event: { type, amount: 1 } }],
});
const commits = (from: number, to: number, type = 'Deposited') =>
  Array.from({ length: to - from + 1 }, (_, number) => commit(from + number, type));

/** A runner of `totals`, whose rows no append writes. */
async function running() {
  const { start } = await world();
  const { models, projector } = await start([totalsProjection], { inline: false });
  await projector.stop();
  const runner = new OwnRunner(totalsProjection, models, () => undefined);
  await runner.readRecord();
  await runner.take([], 0);
  return { runner, models };
}

describe('a runner', () => {
  it('does not apply a page that was read at an earlier position', async () => {
    const { runner, models } = await running();
    expect(await runner.take(commits(1, 2), 3)).toBe('moved');
    expect(await runner.take(commits(1, 3), 3)).toBe('contended');
    expect(await models.get(totals, 'all')).toEqual({ deposits: 2, sum: 2 });
    expect(await runner.take(commits(3, 3), 3)).toBe('moved');
    expect(await models.get(totals, 'all')).toEqual({ deposits: 3, sum: 3 });
  });

  it('writes its record after many commits without changes, so that a restart does not read all of them again', async () => {
    const { runner, models } = await running();
    await runner.take(commits(1, 900, 'Opened'), 5_000);
    expect((await models.progress('totals')).at).toBe('0');
    await runner.take(commits(901, 1_000, 'Opened'), 5_000);
    expect((await models.progress('totals')).at).toBe('1000');
  });

  it('computes the changes of each commit once, although a page takes several writes', async () => {
    const { models } = await running();
    let computed = 0;
    const changes: typeof totalsProjection.changes = (event, at) => {
      computed += 1;
      return totalsProjection.changes(event, at);
    };
    const runner = new OwnRunner({ ...totalsProjection, changes }, models, () => undefined);
    await runner.readRecord();
    const apply = models.apply.bind(models);
    let writes = 0;
    models.apply = (batch) => {
      writes += 1;
      return apply({ ...batch, steps: batch.steps.slice(0, 10) });
    };
    await runner.take(commits(1, 40), 100);
    expect(await models.get(totals, 'all')).toEqual({ deposits: 40, sum: 40 });
    // The rows may take fewer steps at once on a busy machine.
    expect(writes).toBeGreaterThanOrEqual(4);
    expect(computed).toBe(40);
  });

  it('stops after the current batch when it is held, and takes nothing until it is released', async () => {
    const { runner, models } = await running();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const apply = models.apply.bind(models);
    models.apply = (batch) => gate.then(() => apply(batch));
    const taking = runner.take(commits(1, 2), 2);
    let isHeld = false;
    const held = runner.hold().then(() => (isHeld = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isHeld).toBe(false);
    open();
    await held;
    expect(runner.position).toBe(2);
    expect(await taking).toBe('moved');
    expect(await runner.take(commits(3, 3), 3)).toBe('contended');
    runner.release();
    expect(await runner.take(commits(3, 3), 3)).toBe('moved');
  });

  it('redrives no commit that it has not reached yet', async () => {
    const { start, store, append } = await world();
    const { models, projector } = await start([parking], { inline: false });
    await projector.stop();
    const runner = new OwnRunner(parking, models, () => undefined);
    await runner.readRecord();
    await append('a', { type: 'Opened', owner: 'poison' });
    await append('a', { type: 'Deposited', amount: 4 });
    isBroken = true;
    await runner.take([], 0);
    await runner.take(await store.readAll(0, 1), 1);
    isBroken = false;
    expect(
      await redriveOwn(
        store,
        models,
        runner,
        () => true,
        async () => undefined,
      ),
    ).toEqual({ applied: ['a'], parked: [] });
    await runner.take(await store.readAll(1, 1), 2);
    expect(await models.get(accounts, 'a')).toMatchObject({ balance: 4 });
  });

  it('reads its record again if an append changed the record during the read', async () => {
    const { start, file, append } = await world();
    const { models } = await start([totalsProjection]);
    await append('s', { type: 'Deposited', amount: 1 });
    const runner = new OwnRunner(totalsProjection, models, () => undefined);
    const progress = models.progress.bind(models);
    models.progress = async (name, line) => {
      const read = await progress(name, line);
      models.progress = progress;
      await file.write((transaction) => transaction.run('UPDATE read_model_progress SET live = 0'));
      runner.markStale();
      return read;
    };
    await runner.readRecord();
    expect(runner.isLive).toBe(false);
  });
});
