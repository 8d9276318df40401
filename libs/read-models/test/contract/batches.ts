import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { add, first, put, update } from '../../src/changes.ts';
import { ChangeRefused, CheckpointMoved } from '../../src/errors.ts';
import { type Case, heard, mine, others, prepared, step, type Sum, sums, takeAll, things } from './stage.ts';

const none = { name: 'n', count: 0, cost: 0 };

export const batchCases: Readonly<Record<string, Case>> = {
  'updates the record together with the rows': async (stage) => {
    const models = await prepared(stage);
    const from = await models.progress('mine');
    strictEqual(from.at, '0');
    const moved = await models.apply({ from, steps: [step(7, put(things, 'a', { kind: 'x' }))] });
    strictEqual(moved.at, '7');
    deepStrictEqual(await models.progress('mine'), moved);
    strictEqual((await models.apply({ from: moved, steps: [step(9)] })).at, '9');
    deepStrictEqual(await models.get(things, 'a'), { kind: 'x' });
  },

  'applies many steps, in one write or in several': async (stage) => {
    const models = await prepared(stage);
    const steps = Array.from({ length: 2_000 }, (_, number) =>
      step(number + 1, put(things, `k${number % 50}`, { kind: 'x', size: number }), add(sums, 'a', { count: 1 }, none)),
    );
    const progress = await takeAll(models, await models.progress('mine'), steps);
    strictEqual(progress.at, '2000');
    strictEqual((await models.get(sums, 'a'))?.count, 2_000);
    strictEqual((await models.get(things, 'k49'))?.size, 1_999);
  },

  'becomes ready, and creates the records of partitions, only with the last step': async (stage) => {
    const { models } = stage;
    await models.prepare([mine]);
    const slow = update(sums, 'a', (row) => {
      for (const until = performance.now() + 5; performance.now() < until;);
      return { ...none, count: ((row as Sum | null)?.count ?? 0) + 1 };
    });
    let progress = await models.progress('mine');
    for (let to = 1; to < 4; to = Number(progress.at) + 1) {
      const steps = [1, 2, 3].slice(to - 1).map((place) => step(place, slow));
      progress = await models.apply({ from: progress, steps, reached: 1, lines: { 't/0': '1' } });
      strictEqual(progress.ready, progress.at === '3');
      deepStrictEqual([...(await models.lines('mine'))], progress.at === '3' ? [['t/0', '1']] : []);
    }
    strictEqual((await models.get(sums, 'a'))?.count, 3);
  },

  'writes nothing of a batch from a record that has changed': async (stage) => {
    const models = await prepared(stage);
    const from = await models.progress('mine');
    await models.apply({ from, steps: [step(1)] });
    await rejects(models.apply({ from, steps: [step(1, put(things, 'a', { kind: 'x' }))] }), CheckpointMoved);
    await rejects(models.apply({ from, steps: [step(1)] }), CheckpointMoved);
    strictEqual(await models.get(things, 'a'), null);
  },

  'writes a batch completely or not at all': async (stage) => {
    const models = await prepared(stage);
    const before = await models.apply({
      from: await models.progress('mine'),
      steps: [step(1, put(sums, 'full', { ...none, count: Number.MAX_SAFE_INTEGER }))],
    });
    const overflowing = add(sums, 'full', { count: 1 }, none);
    const steps = [step(2, put(things, 'a', { kind: 'x' })), step(3, overflowing, put(things, 'b', { kind: 'x' }))];
    await rejects(models.apply({ from: before, steps }), ChangeRefused);
    strictEqual((await models.getMany(things, ['a', 'b'])).size, 0);
    deepStrictEqual(await models.progress('mine'), before);
  },

  'lets exactly one of several concurrent writers of one record win': async (stage) => {
    const models = await prepared(stage);
    const again = await stage.reopen();
    await again.prepare([mine, heard]);
    const from = await models.progress('mine');
    const racers = Array.from({ length: 6 }, (_, number) =>
      (number % 2 ? models : again).apply({
        from,
        steps: [step(1, add(sums, 'a', { count: 1 }, none), put(things, `of-${number}`, { kind: 'x' }))],
      }),
    );
    const results = await Promise.allSettled(racers);
    strictEqual(results.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const result of results) if (result.status === 'rejected') strictEqual((result.reason as Error).name, 'CheckpointMoved');
    strictEqual((await models.get(sums, 'a'))?.count, 1);
    strictEqual((await models.find(things, { index: 'key', limit: 10 })).rows.length, 1);
  },

  'keeps a record for each partition, created in the same write as the main record': async (stage) => {
    const models = await prepared(stage);
    const main = await models.apply({ from: await models.progress('heard'), steps: [], lines: { 't/0': '5.-1', 't/1': '5.-1' } });
    deepStrictEqual(
      [...(await models.lines('heard'))],
      [
        ['t/0', '5.-1'],
        ['t/1', '5.-1'],
      ],
    );
    const one = await models.progress('heard', 't/0');
    const other = await models.progress('heard', 't/1');
    strictEqual(one.at, '5.-1');
    await models.apply({ from: one, steps: [{ to: '6.0', changes: [add(others, 'a', { count: 1 }, none)] }] });
    await models.apply({ from: other, steps: [{ to: '7.1', changes: [add(others, 'a', { count: 1 }, none)] }] });
    await rejects(models.apply({ from: one, steps: [{ to: '6.0', changes: [add(others, 'a', { count: 1 }, none)] }] }), CheckpointMoved);
    strictEqual((await models.get(others, 'a'))?.count, 2);
    deepStrictEqual([(await models.progress('heard', 't/0')).at, (await models.progress('heard', 't/1')).at], ['6.0', '7.1']);
    deepStrictEqual([...(await models.lines('heard')).values()], ['6.0', '7.1']);
    strictEqual((await models.progress('heard')).revision, main.revision);
  },

  'sets keys aside in the same write as the other changes': async (stage) => {
    const models = await prepared(stage);
    const park = (number: number, reason: string, letter?: unknown) => ({
      key: 'k',
      number,
      reason,
      ...(letter !== undefined && { letter }),
    });
    const from = await models.progress('mine');
    const letter = { id: 'e', 'a.b': [{ $set: 1 }] };
    const steps = [
      { to: '1', changes: [], park: park(3, 'broken', letter) },
      { to: '2', changes: [], park: park(10, '', { id: 'f' }) },
    ];
    const parked = await takeAll(models, from, steps);
    await rejects(models.apply({ from, steps }), CheckpointMoved);
    deepStrictEqual(await models.parked('mine', 10), [{ line: '', key: 'k', first: 3, last: 10, count: 2, reason: 'broken' }]);
    deepStrictEqual(await models.letters('mine', { line: '', key: 'k' }, 1), [park(3, 'broken', letter)]);
    const again = { changes: [], unpark: { key: 'k', number: 3 }, park: park(3, 'still') };
    const redone = await models.apply({ from: parked, steps: [again] });
    strictEqual(redone.at, '2');
    deepStrictEqual(await models.letters('mine', { line: '', key: 'k' }, 9), [park(3, 'still'), park(10, '', { id: 'f' })]);
    await takeAll(models, await models.apply({ from: redone, steps: [{ changes: [], unpark: { key: 'k', number: 3 } }] }), []);
    deepStrictEqual((await models.parked('mine', 10))[0]?.first, 10);
    deepStrictEqual(await models.parked('heard', 10), []);
  },

  'remembers why a projection stopped, until it advances': async (stage) => {
    const models = await prepared(stage);
    const stopped = await models.apply({ from: await models.progress('mine'), steps: [step(1)], stopped: 'no such owner' });
    strictEqual((await models.progress('mine')).stopped, 'no such owner');
    strictEqual((await models.apply({ from: stopped, steps: [step(2)] })).stopped, null);
  },

  "refuses to write another projection's table": async (stage) => {
    const models = await prepared(stage);
    const from = await models.progress('heard');
    await rejects(models.apply({ from, steps: [step(1, put(things, 'a', { kind: 'x' }))] }), ChangeRefused);
    const counting = first(others, 'a', none, [put(things, 'a', { kind: 'x' })]);
    await rejects(models.apply({ from, steps: [step(1, counting)] }), ChangeRefused);
    await models.apply({ from, steps: [step(1, put(others, 'a', none))] });
    await rejects(models.apply({ from: await models.progress('heard'), steps: [step(2, counting)] }), ChangeRefused);
  },

  'has everything after it is opened again': async (stage) => {
    const models = await prepared(stage);
    await models.apply({ from: await models.progress('mine'), steps: [step(5, put(things, 'a', { kind: 'x', size: 3 }))] });
    const again = await stage.reopen();
    await again.prepare([mine, heard]);
    strictEqual((await again.progress('mine')).at, '5');
    deepStrictEqual(await again.get(things, 'a'), { kind: 'x', size: 3 });
    deepStrictEqual((await again.find(things, { index: 'bySize', from: 3, limit: 5 })).keys, ['a']);
  },
};
