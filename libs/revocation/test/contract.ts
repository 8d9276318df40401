import { deepStrictEqual, notStrictEqual, strictEqual } from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from '@jest/globals';
import type { Watching, WatcherRegistry } from '../src/registry.ts';

/** One registry, opened once per replica of its owner. */
export interface RegistryFixture {
  open(): Promise<WatcherRegistry>;
  remove(): Promise<void>;
}

export interface RegistryCase {
  readonly name: string;
  run(fixture: RegistryFixture): Promise<void>;
}

const seenIn = (all: readonly Watching[]) => Object.fromEntries(all.map(({ watcher, seen }) => [watcher, seen]));

async function beatOf(registry: WatcherRegistry, watcher: string): Promise<string | undefined> {
  return (await registry.all()).find((one) => one.watcher === watcher)?.beat;
}

/** The cases that every registry of watchers must pass. They are plain functions, so that they can also test registries that are broken on purpose. */
export const watcherRegistryCases: readonly RegistryCase[] = [
  {
    name: 'begins without watchers',
    async run(fixture) {
      deepStrictEqual(await (await fixture.open()).all(), []);
    },
  },
  {
    name: 'shows a note to every replica as soon as the note resolves',
    async run(fixture) {
      const [here, there] = [await fixture.open(), await fixture.open()];
      for (let seen = 0; seen < 10; seen += 1) {
        await here.note('edge-1', seen);
        deepStrictEqual(seenIn(await there.all()), { 'edge-1': seen });
      }
    },
  },
  {
    name: 'keeps watchers apart',
    async run(fixture) {
      const registry = await fixture.open();
      await Promise.all([registry.note('edge-1', 3), registry.note('edge-2', 5), registry.note('edge-3', 0)]);
      deepStrictEqual(seenIn(await registry.all()), { 'edge-1': 3, 'edge-2': 5, 'edge-3': 0 });
    },
  },
  {
    name: 'never lowers the position of a watcher, even after a late older note',
    async run(fixture) {
      const registry = await fixture.open();
      await registry.note('edge-1', 7);
      await registry.note('edge-1', 4);
      deepStrictEqual(seenIn(await registry.all()), { 'edge-1': 7 });
    },
  },
  {
    name: 'keeps one watcher after many concurrent notes',
    async run(fixture) {
      const replicas = [await fixture.open(), await fixture.open()];
      await Promise.all(Array.from({ length: 20 }, (_, seen) => replicas[seen % 2]!.note('edge-1', seen)));
      deepStrictEqual(seenIn(await replicas[0]!.all()), { 'edge-1': 19 });
    },
  },
  {
    name: 'gives a new beat with each note, even with the same position',
    async run(fixture) {
      const registry = await fixture.open();
      await registry.note('edge-1', 7);
      const first = await beatOf(registry, 'edge-1');
      strictEqual(await beatOf(registry, 'edge-1'), first);
      await registry.note('edge-1', 7);
      notStrictEqual(await beatOf(registry, 'edge-1'), first);
    },
  },
  {
    name: 'drops a watcher without a newer note',
    async run(fixture) {
      const [here, there] = [await fixture.open(), await fixture.open()];
      await here.note('edge-1', 1);
      await here.note('edge-2', 2);
      await there.drop('edge-1', (await beatOf(there, 'edge-1'))!);
      deepStrictEqual(seenIn(await here.all()), { 'edge-2': 2 });
    },
  },
  {
    name: 'keeps a watcher with a newer note',
    async run(fixture) {
      const registry = await fixture.open();
      await registry.note('edge-1', 1);
      const before = (await beatOf(registry, 'edge-1'))!;
      await registry.note('edge-1', 1);
      await registry.drop('edge-1', before);
      deepStrictEqual(seenIn(await registry.all()), { 'edge-1': 1 });
    },
  },
  {
    name: 'shows a dropped watcher that returns, with a new beat',
    async run(fixture) {
      const registry = await fixture.open();
      await registry.note('edge-1', 1);
      const before = (await beatOf(registry, 'edge-1'))!;
      await registry.drop('edge-1', before);
      await registry.note('edge-1', 1);
      notStrictEqual(await beatOf(registry, 'edge-1'), before);
      await registry.drop('edge-1', before);
      deepStrictEqual(seenIn(await registry.all()), { 'edge-1': 1 });
    },
  },
  {
    name: 'stores the largest safe integer as a position',
    async run(fixture) {
      const registry = await fixture.open();
      await registry.note('edge-1', Number.MAX_SAFE_INTEGER);
      deepStrictEqual(seenIn(await registry.all()), { 'edge-1': Number.MAX_SAFE_INTEGER });
    },
  },
  {
    name: 'does nothing when it drops an unknown watcher',
    async run(fixture) {
      const registry = await fixture.open();
      await registry.drop('edge-1', 'any');
      deepStrictEqual(await registry.all(), []);
    },
  },
];

/** The contract as a suite, each case with its own fixture. */
export function watcherRegistryContract(name: string, makeFixture: () => Promise<RegistryFixture>): void {
  describe(`${name} as a registry of watchers`, () => {
    let fixture: RegistryFixture;
    beforeEach(async () => {
      fixture = await makeFixture();
    });
    afterEach(() => fixture.remove());
    for (const { name: sentence, run } of watcherRegistryCases) it(sentence, () => run(fixture));
  });
}
