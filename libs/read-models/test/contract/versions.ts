import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { put } from '../../src/changes.ts';
import { CheckpointMoved, NotPrepared, ReadModelBuilding } from '../../src/errors.ts';
import { table } from '../../src/table.ts';
import { type Case, heard, mine, prepared, step, sums, things, write } from './stage.ts';

const LONG_AGO = 1_000;
const next = { ...mine, version: 2 };

export const versionCases: Readonly<Record<string, Case>> = {
  'refuses queries until the rows are ready, and reports the progress': async (stage) => {
    const { models } = stage;
    await models.prepare([mine]);
    const building = (progress: number) => (error: unknown) =>
      error instanceof ReadModelBuilding && error.projection === 'mine' && error.progress === progress;
    await rejects(models.get(things, 'a'), building(0));
    const half = await models.apply({
      from: await models.progress('mine'),
      steps: [step(5, put(things, 'a', { kind: 'x' }))],
      reached: 0.5,
    });
    strictEqual(half.ready, false);
    await rejects(models.get(things, 'a'), building(0.5));
    await rejects(models.getMany(things, ['a']), building(0.5));
    await rejects(models.find(things, { index: 'key', limit: 1 }), building(0.5));
    strictEqual(models.built('mine'), 0.5);
    const whole = await models.apply({ from: half, steps: [step(9)], reached: 1 });
    deepStrictEqual([whole.ready, models.built('mine')], [true, 1]);
    deepStrictEqual(await models.get(things, 'a'), { kind: 'x' });
    strictEqual((await models.apply({ from: whole, steps: [step(10)] })).ready, true);
  },

  'keeps two versions side by side, each with its own record': async (stage) => {
    const old = await prepared(stage);
    await write(old, put(things, 'a', { kind: 'old' }));
    const raised = await stage.reopen();
    await raised.prepare([next]);
    await rejects(raised.get(things, 'a'), ReadModelBuilding);
    const from = await raised.progress('mine');
    strictEqual(from.at, '0');
    await raised.apply({ from, steps: [step(1, put(things, 'a', { kind: 'new' }))], reached: 1 });
    await write(old, put(things, 'b', { kind: 'old' }));
    deepStrictEqual([await raised.get(things, 'a'), await raised.get(things, 'b')], [{ kind: 'new' }, null]);
    deepStrictEqual([await old.get(things, 'a'), await old.get(things, 'b')], [{ kind: 'old' }, { kind: 'old' }]);
    deepStrictEqual([(await old.progress('mine')).at, (await raised.progress('mine')).at], ['2', '1']);
  },

  'shows another process that the rows are ready': async (stage) => {
    const again = await stage.reopen();
    await again.prepare([mine, heard]);
    await rejects(again.get(things, 'a'), ReadModelBuilding);
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'x' }));
    deepStrictEqual(await again.get(things, 'a'), { kind: 'x' });
  },

  'accepts nothing from a writer that knows the rows from before their removal': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'x' }));
    const before = await models.progress('mine');
    await models.drop('mine');
    await models.prepare([mine]);
    let now = await models.progress('mine');
    while (now.revision < before.revision && Number(now.at) < 5) {
      now = await models.apply({ from: now, steps: [step(Number(now.at) + 1)], reached: 1 });
    }
    await rejects(models.apply({ from: before, steps: [step(9, put(things, 'b', { kind: 'x' }))] }), CheckpointMoved);
  },

  'keeps the rows and records of a second copy separate': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'x' }));
    const scratch = models.scratch();
    await scratch.prepare([mine]);
    await scratch.apply({ from: await scratch.progress('mine'), steps: [step(8, put(things, 'b', { kind: 'y' }))], reached: 1 });
    deepStrictEqual((await scratch.find(things, { index: 'byKind', limit: 5 })).keys, ['b']);
    deepStrictEqual((await models.find(things, { index: 'byKind', limit: 5 })).keys, ['a']);
    await scratch.drop('mine');
    deepStrictEqual(await models.get(things, 'a'), { kind: 'x' });
  },

  'removes the rows and records of a version, and starts it again': async (stage) => {
    const models = await prepared(stage);
    await models.apply({ from: await models.progress('mine'), steps: [], lines: { 't/0': '1' } });
    const line = await models.progress('mine', 't/0');
    const rows = Array.from({ length: 700 }, (_, number) => put(things, `k${number}`, { kind: 'x' }));
    await write(models, ...rows);
    const before = await models.progress('mine');
    await models.apply({ from: before, steps: [{ changes: [], park: { key: 'k', number: 1, reason: 'broken' } }] });
    await models.drop('mine');
    await rejects(models.get(things, 'k1'), ReadModelBuilding);
    await rejects(models.apply({ from: before, steps: [step(9)] }), CheckpointMoved);
    await models.prepare([mine]);
    await rejects(models.progress('mine', 't/0'), NotPrepared);
    await rejects(models.apply({ from: line, steps: [{ to: '2', changes: [] }] }), CheckpointMoved);
    deepStrictEqual([(await models.progress('mine')).at, await models.parked('mine', 5)], ['0', []]);
    await models.apply({ from: await models.progress('mine'), steps: [], reached: 1 });
    deepStrictEqual((await models.find(things, { index: 'key', limit: 5 })).keys, []);
  },

  'sweeps versions that are no longer used, and no others': async (stage) => {
    const old = await prepared(stage);
    await write(old, put(things, 'a', { kind: 'old' }));
    const raised = await stage.reopen();
    await raised.prepare([next, heard]);
    deepStrictEqual(await raised.sweep(LONG_AGO), []);
    deepStrictEqual(await old.get(things, 'a'), { kind: 'old' });
    deepStrictEqual(await raised.sweep(Date.now() + 60_000), ['mine@v1']);
    ok(await raised.progress('mine'));
    const again = await stage.reopen();
    await again.prepare([mine]);
    strictEqual((await again.progress('mine')).at, '0');
    await rejects(again.get(things, 'a'), ReadModelBuilding);
  },

  'removes the rows before a key once the rows are ready, and no others': async (stage) => {
    const { models } = stage;
    await models.prepare([mine, heard]);
    const rows = Array.from({ length: 1_200 }, (_, number) => put(things, `2026-0${1 + (number % 2)}|${number}`, { kind: 'x' }));
    await write(models, ...rows, put(things, '2026-02', { kind: 'x' }), put(sums, '2026-01', { name: 'kept', count: 1, cost: 1 }));
    strictEqual(await models.removeBefore(things, '2026-02'), 0);
    await models.apply({ from: await models.progress('mine'), steps: [], reached: 1 });
    const scratch = models.scratch();
    await scratch.prepare([mine]);
    await scratch.apply({ from: await scratch.progress('mine'), steps: [step(1, rows[0]!)], reached: 1 });
    strictEqual(await models.removeBefore(things, '2026-02'), 600);
    strictEqual(await models.removeBefore(things, '2026-02'), 0);
    const { keys } = await models.find(things, { index: 'key', limit: 1_200 });
    deepStrictEqual([keys.length, keys[0], keys.every((key) => key >= '2026-02')], [601, '2026-02', true]);
    ok(await models.get(sums, '2026-01'));
    ok(await scratch.get(things, '2026-01|0'));
  },

  'removes the rows up to a value of an index once the rows are ready, and no others': async (stage) => {
    const { models } = stage;
    await models.prepare([mine, heard]);
    const rows = Array.from({ length: 1_200 }, (_, size) => put(things, `k${size}`, { kind: 'x', size }));
    const others = [put(things, 'none', { kind: 'x' }), put(things, 'late', { kind: 'x', size: Number.MAX_SAFE_INTEGER })];
    await write(models, ...rows, ...others, put(sums, 'k1', { name: 'kept', count: 1, cost: 1 }));
    strictEqual(await models.removeUpTo(things, 'bySize', 699), 0);
    await models.apply({ from: await models.progress('mine'), steps: [], reached: 1 });
    strictEqual(await models.removeUpTo(things, 'bySize', 699), 700);
    strictEqual(await models.removeUpTo(things, 'bySize', 699), 0);
    const { rows: left } = await models.find(things, { index: 'bySize', limit: 1_200 });
    deepStrictEqual([left.length, left[0]?.size, left[1]?.size, left.at(-1)?.size], [502, undefined, 700, Number.MAX_SAFE_INTEGER]);
    ok(await models.get(sums, 'k1'));
  },

  'records when a version was last declared': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'x' }));
    const declared = Date.now();
    while (Date.now() === declared);
    const again = await stage.reopen();
    await again.prepare([mine]);
    const other = await stage.reopen();
    deepStrictEqual(await other.sweep(declared + 1), ['heard@v1']);
    deepStrictEqual(await again.get(things, 'a'), { kind: 'x' });
  },

  'creates tables and indexes that are declared later': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'x', note: 3 }));
    const later = table<{ kind: unknown; note?: unknown }>('things', { byNote: ['note'] });
    const added = table('added');
    const again = await stage.reopen();
    await again.prepare([{ name: 'mine', version: 1, tables: [later, added] }]);
    deepStrictEqual((await again.find(later, { index: 'byNote', where: { note: 3 }, limit: 1 })).keys, ['a']);
    strictEqual(await again.get(added, 'a'), null);
  },

  'stays ready when it is declared again': async (stage) => {
    const models = await prepared(stage);
    await models.prepare([mine, heard]);
    strictEqual(models.built('mine'), 1);
    const again = await stage.reopen();
    await again.prepare([mine]);
    strictEqual(again.built('mine'), 1);
  },

  'refuses a program that declares two versions, or the same table twice': async (stage) => {
    const models = await prepared(stage);
    await rejects(models.prepare([next]), TypeError);
    await rejects(models.prepare([{ name: 'thief', version: 1, tables: [things] }]), TypeError);
  },
};
