import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { add, patch, put } from './changes.ts';
import { type Case, hears, heard, mine, others, prepared, sums, things } from './contract-stage.ts';
import { ChangeRefused, CheckpointMoved } from './errors.ts';
import type { Change } from './read-models.ts';

const none = { name: 'n', count: 0, cost: 0 };
const overflowing: Change = add(sums, 'full', { count: 1 }, none);

export const batchCases: Readonly<Record<string, Case>> = {
  'moves the checkpoint with the rows': async (stage) => {
    const models = await prepared(stage);
    strictEqual(await models.checkpoint('mine'), 0);
    strictEqual(
      await models.apply({ projection: 'mine', checkpoint: { from: 0, to: 7 }, changes: [put(things, 'a', { kind: 'x' })] }),
      true,
    );
    strictEqual(await models.checkpoint('mine'), 7);
    strictEqual(await models.apply({ projection: 'mine', checkpoint: { from: 7, to: 9 }, changes: [] }), true);
    strictEqual(await models.checkpoint('mine'), 9);
  },

  'writes nothing of a batch from a wrong place': async (stage) => {
    const models = await prepared(stage);
    const batch = { projection: 'mine', checkpoint: { from: 3, to: 4 }, changes: [put(things, 'a', { kind: 'x' })] };
    await rejects(models.apply(batch), CheckpointMoved);
    await rejects(models.apply({ ...batch, changes: [] }), CheckpointMoved);
    strictEqual(await models.get(things, 'a'), null);
    strictEqual(await models.checkpoint('mine'), 0);
  },

  'writes all of a batch or nothing': async (stage) => {
    const models = await prepared(stage);
    const first = { projection: 'mine', checkpoint: { from: 0, to: 1 } };
    await models.apply({ ...first, changes: [put(sums, 'full', { ...none, count: Number.MAX_SAFE_INTEGER })] });
    const second = { projection: 'mine', checkpoint: { from: 1, to: 2 } };
    await rejects(
      models.apply({ ...second, changes: [put(things, 'a', { kind: 'x' }), overflowing, put(things, 'b', { kind: 'x' })] }),
      ChangeRefused,
    );
    strictEqual((await models.getMany(things, ['a', 'b'])).size, 0);
    strictEqual(await models.checkpoint('mine'), 1);
  },

  'lets one of several racers from one place win': async (stage) => {
    const models = await prepared(stage);
    const again = await stage.reopen();
    await again.prepare([mine, heard]);
    const racers = Array.from({ length: 6 }, (_, number) =>
      (number % 2 ? models : again).apply({
        projection: 'mine',
        checkpoint: { from: 0, to: 1 },
        changes: [add(sums, 'a', { count: 1 }, none), put(things, `of-${number}`, { kind: 'x' })],
      }),
    );
    const results = await Promise.allSettled(racers);
    strictEqual(results.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const result of results) if (result.status === 'rejected') strictEqual((result.reason as Error).name, 'CheckpointMoved');
    strictEqual((await models.get(sums, 'a'))?.count, 1);
    strictEqual((await models.find(things, { index: 'key', limit: 10 })).rows.length, 1);
  },

  'has the effect of a foreign event once': async (stage) => {
    const models = await prepared(stage);
    const batch = hears('1', add(others, 'a', { count: 1 }, none));
    strictEqual(await models.apply(batch), true);
    strictEqual(await models.apply(batch), false);
    const again = await stage.reopen();
    await again.prepare([mine, heard]);
    strictEqual(await again.apply({ ...batch, seen: ['2', '1'] }), false);
    deepStrictEqual(await models.unseen('heard', ['1', '2']), ['2']);
    strictEqual((await models.get(others, 'a'))?.count, 1);
  },

  'has the effect of a foreign event once when it comes several times at once': async (stage) => {
    const models = await prepared(stage);
    const again = await stage.reopen();
    await again.prepare([mine, heard]);
    const batch = hears('1', add(others, 'a', { count: 1 }, none));
    const results = await Promise.all([models, again, models, again].map((one) => one.apply(batch)));
    strictEqual(results.filter((fresh) => fresh).length, 1);
    strictEqual((await models.get(others, 'a'))?.count, 1);
  },

  'does not remember a foreign event whose effect failed': async (stage) => {
    const models = await prepared(stage);
    await models.apply(hears('1', put(others, 'full', { ...none, count: Number.MAX_SAFE_INTEGER })));
    await rejects(models.apply(hears('2', add(others, 'full', { count: 1 }, none))), ChangeRefused);
    deepStrictEqual(await models.unseen('heard', ['1', '2']), ['2']);
    strictEqual(await models.apply(hears('2', patch(others, 'full', { count: 0 }))), true);
  },

  'forgets foreign events of before a time': async (stage) => {
    const models = await prepared(stage);
    await models.apply(hears('1', put(others, 'a', none)));
    strictEqual(await models.pruneSeen(Date.now() - 60_000), 0);
    deepStrictEqual(await models.unseen('heard', ['1']), []);
    strictEqual(await models.pruneSeen(Date.now() + 60_000), 1);
    deepStrictEqual(await models.unseen('heard', ['1']), ['1']);
  },

  "refuses to write another projection's table": async (stage) => {
    const models = await prepared(stage);
    await rejects(models.apply(hears('1', put(things, 'a', { kind: 'x' }))), ChangeRefused);
  },

  'has everything when opened again': async (stage) => {
    const models = await prepared(stage);
    await models.apply({ projection: 'mine', checkpoint: { from: 0, to: 5 }, changes: [put(things, 'a', { kind: 'x', size: 3 })] });
    await models.apply(hears('1', put(others, 'b', none)));
    const again = await stage.reopen();
    await again.prepare([mine, heard]);
    strictEqual(await again.checkpoint('mine'), 5);
    deepStrictEqual(await again.get(things, 'a'), { kind: 'x', size: 3 });
    deepStrictEqual((await again.find(things, { index: 'bySize', from: 3, limit: 5 })).keys, ['a']);
    deepStrictEqual(await again.unseen('heard', ['1']), []);
  },
};
