import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { put } from '../../src/changes.ts';
import { NotPrepared, ReadModelBuilding } from '../../src/errors.ts';
import { type Case, mine, prepared, step, things, write } from './stage.ts';

const numbers = (all: readonly { number: number; ready: boolean }[]) => all.map(({ number, ready }) => [number, ready]);

export const generationCases: Readonly<Record<string, Case>> = {
  'keeps the rows of the next generation separate, with their own record': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'old' }));
    const next = models.beside(1);
    await next.prepare([mine]);
    deepStrictEqual([models.generation('mine'), next.generation('mine')], [0, 1]);
    await rejects(next.get(things, 'a'), ReadModelBuilding);
    strictEqual((await next.progress('mine')).at, '0');
    await next.apply({ from: await next.progress('mine'), steps: [step(1, put(things, 'b', { kind: 'new' }))], reached: 0.5 });
    deepStrictEqual(numbers(await models.generations('mine')), [
      [0, true],
      [1, false],
    ]);
    deepStrictEqual((await models.find(things, { index: 'byKind', limit: 5 })).keys, ['a']);
    await models.apply({ from: await models.progress('mine'), steps: [step(2, put(things, 'c', { kind: 'old' }))] });
    strictEqual((await next.progress('mine')).at, '1');
  },

  'serves another generation as soon as it is adopted': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'old' }));
    const before = await models.progress('mine');
    const next = models.beside(1);
    await next.prepare([mine]);
    await next.apply({ from: await next.progress('mine'), steps: [step(7, put(things, 'a', { kind: 'new' }))], reached: 1 });
    await models.adopt('mine', 1);
    deepStrictEqual([models.generation('mine'), models.built('mine')], [1, 1]);
    deepStrictEqual(await models.get(things, 'a'), { kind: 'new' });
    deepStrictEqual((await models.find(things, { index: 'byKind', limit: 5 })).rows, [{ kind: 'new' }]);
    const now = await models.progress('mine');
    strictEqual(now.at, '7');
    // A writer that knows the record of the earlier rows writes nothing.
    await rejects(models.apply({ from: before, steps: [step(9, put(things, 'a', { kind: 'late' }))] }));
    deepStrictEqual(await models.get(things, 'a'), { kind: 'new' });
    await models.prepare([mine]);
    strictEqual(models.generation('mine'), 1);
  },

  'chooses the newest ready generation at the first declaration': async (stage) => {
    const models = await prepared(stage);
    for (const generation of [1, 2, 10]) {
      const next = models.beside(generation);
      await next.prepare([mine]);
      const reached = generation === 10 ? 0.5 : 1;
      await next.apply({ from: await next.progress('mine'), steps: [step(1, put(things, 'a', { kind: generation }))], reached });
    }
    deepStrictEqual(
      (await models.generations('mine')).map(({ number }) => number),
      [0, 1, 2, 10],
    );
    const again = await stage.reopen();
    await again.prepare([mine]);
    strictEqual(again.generation('mine'), 2);
    deepStrictEqual(await again.get(things, 'a'), { kind: 2 });
  },

  'removes one generation, and leaves the others as they are': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'old' }));
    const next = models.beside(1);
    await next.prepare([mine]);
    await next.apply({ from: await next.progress('mine'), steps: [step(1, put(things, 'a', { kind: 'new' }))], reached: 1 });
    await models.adopt('mine', 1);
    const old = models.beside(0);
    await old.prepare([mine]);
    await old.drop('mine');
    deepStrictEqual(numbers(await models.generations('mine')), [[1, true]]);
    await rejects(old.progress('mine'), NotPrepared);
    deepStrictEqual(await models.get(things, 'a'), { kind: 'new' });
    const again = await stage.reopen();
    await again.prepare([mine]);
    deepStrictEqual([again.generation('mine'), await again.get(things, 'a')], [1, { kind: 'new' }]);
  },

  'records when a generation was last declared, and starts a higher version with the first generation': async (stage) => {
    const models = await prepared(stage);
    const next = models.beside(1);
    await next.prepare([mine]);
    const [first] = await models.generations('mine');
    while (Date.now() === first!.usedAt);
    await models.prepare([mine]);
    ok((await models.generations('mine'))[0]!.usedAt > first!.usedAt);
    const raised = await stage.reopen();
    await raised.prepare([{ ...mine, version: 2 }]);
    deepStrictEqual([raised.generation('mine'), numbers(await raised.generations('mine'))], [0, [[0, false]]]);
  },
};
