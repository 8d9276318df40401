import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { put } from './changes.ts';
import { type Case, heard, hears, mine, others, prepared, things, write } from './contract-stage.ts';
import { BuildLost, CheckpointMoved, Held } from './errors.ts';
import { table } from './read-models.ts';

const LEASE = 60_000;
const row = (kind: string) => ({ kind });
const moved = (from: number, to: number, key: string) => ({
  projection: 'mine',
  checkpoint: { from, to },
  changes: [put(things, key, row(key))],
});

export const buildCases: Readonly<Record<string, Case>> = {
  'begins with one living generation, of the version first declared': async (stage) => {
    const models = await prepared(stage);
    deepStrictEqual(await models.builds.living('mine'), { projection: 'mine', generation: 1, version: 1, checkpoint: 0 });
    await models.prepare([{ ...mine, version: 2 }]);
    strictEqual((await models.builds.living('mine')).version, 1);
  },

  'keeps what is built beside out of sight until it is switched to': async (stage) => {
    const models = await prepared(stage);
    await models.apply(moved(0, 1, 'old'));
    const build = (await models.builds.begin({ ...mine, version: 2 }, 'me', LEASE))!;
    const beside = models.at(build);
    await beside.apply(moved(0, 1, 'new'));
    deepStrictEqual((await models.find(things, { index: 'byKind', limit: 9 })).keys, ['old']);
    deepStrictEqual((await beside.find(things, { index: 'byKind', limit: 9 })).keys, ['new']);
    strictEqual(await models.builds.switchTo(build, 'me', 'as-far'), true);
    deepStrictEqual((await models.find(things, { index: 'byKind', limit: 9 })).keys, ['new']);
    deepStrictEqual(await models.builds.living('mine'), { ...build, checkpoint: 1 });
  },

  'switches to no build that has read less than the living one': async (stage) => {
    const models = await prepared(stage);
    const build = (await models.builds.begin(mine, 'me', LEASE))!;
    await models.apply(moved(0, 2, 'a'));
    await models.at(build).apply(moved(0, 1, 'a'));
    strictEqual(await models.builds.switchTo(build, 'me', 'as-far'), false);
    strictEqual((await models.builds.living('mine')).generation, 1);
    await models.at(build).apply(moved(1, 2, 'b'));
    strictEqual(await models.builds.switchTo(build, 'me', 'as-far'), true);
  },

  'refuses batches for a generation that is gone': async (stage) => {
    const models = await prepared(stage);
    const old = models.at(await models.builds.living('mine'));
    const build = (await models.builds.begin(mine, 'me', LEASE))!;
    await models.builds.switchTo(build, 'me', 'as-far');
    await rejects(old.apply(moved(0, 1, 'a')), CheckpointMoved);
    await rejects(old.apply({ projection: 'mine', seen: ['1'], changes: [] }), CheckpointMoved);
    await models.apply(moved(0, 1, 'a'));
  },

  'shows another process the switch': async (stage) => {
    const models = await prepared(stage);
    const again = await stage.reopen();
    await again.prepare([mine, heard]);
    await models.apply(moved(0, 1, 'old'));
    deepStrictEqual(await again.get(things, 'old'), row('old'));
    const build = (await models.builds.begin(mine, 'me', LEASE))!;
    await models.at(build).apply(moved(0, 1, 'new'));
    await models.builds.switchTo(build, 'me', 'as-far');
    strictEqual((await again.builds.living('mine')).generation, build.generation);
    deepStrictEqual(await again.get(things, 'new'), row('new'));
    await write(again, put(things, 'newer', row('newer')));
    deepStrictEqual(await models.get(things, 'newer'), row('newer'));
  },

  'lets one builder in at a time, and the next one begin from nothing': async (stage) => {
    const models = await prepared(stage);
    const dead = (await models.builds.begin(mine, 'dead', 1))!;
    await models.at(dead).apply(moved(0, 1, 'half'));
    await delay(5);
    const build = (await models.builds.begin(mine, 'me', LEASE))!;
    ok(build.generation > dead.generation);
    strictEqual(await models.builds.begin(mine, 'other', LEASE), null);
    strictEqual(await models.at(build).get(things, 'half'), null);
    strictEqual(await models.at(build).checkpoint('mine'), 0);
    await rejects(models.at(dead).apply(moved(1, 2, 'zombie')), CheckpointMoved);
    strictEqual(await models.builds.renew(dead, 'dead', LEASE), false);
    await rejects(models.builds.switchTo(dead, 'dead', 'as-far'), BuildLost);
    strictEqual(await models.builds.renew(build, 'me', LEASE), true);
  },

  'can give up a build': async (stage) => {
    const models = await prepared(stage);
    const build = (await models.builds.begin(mine, 'me', LEASE))!;
    await models.builds.abandon(build);
    strictEqual(await models.builds.renew(build, 'me', LEASE), false);
    ok(await models.builds.begin(mine, 'other', LEASE));
  },

  'holds batches back, and lets them pass again': async (stage) => {
    const models = await prepared(stage);
    await models.builds.hold('heard', 'me', LEASE);
    await rejects(models.apply(hears('1', put(others, 'a', { name: 'n', count: 0, cost: 0 }))), Held);
    await models.builds.release('heard', 'me');
    strictEqual(await models.apply(hears('1', put(others, 'a', { name: 'n', count: 0, cost: 0 }))), true);
  },

  'switches only while its hold is unbroken': async (stage) => {
    const models = await prepared(stage);
    const build = (await models.builds.begin(heard, 'me', LEASE))!;
    strictEqual(await models.builds.switchTo(build, 'me', 'held'), false);
    await models.builds.hold('heard', 'me', 1);
    await delay(5);
    strictEqual(await models.apply(hears('1', put(others, 'a', { name: 'n', count: 0, cost: 0 }))), true);
    strictEqual(await models.builds.switchTo(build, 'me', 'held'), false);
    await models.builds.hold('heard', 'me', LEASE);
    strictEqual(await models.builds.switchTo(build, 'me', 'held'), true);
    deepStrictEqual(await models.unseen('heard', ['1']), ['1']);
    strictEqual(await models.apply(hears('1')), true);
  },

  'makes tables and indexes that are declared later': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'x', note: 3 }));
    const later = table<{ kind: unknown; note?: unknown }>('things', { byNote: ['note'] });
    const added = table('added');
    const again = await stage.reopen();
    await again.prepare([{ name: 'mine', version: 1, tables: [later, added] }]);
    deepStrictEqual((await again.find(later, { index: 'byNote', where: { note: 3 }, limit: 1 })).keys, ['a']);
    strictEqual(await again.get(added, 'a'), null);
  },
};
