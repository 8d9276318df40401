import { describe, expect, it } from '@jest/globals';
import { watcherRegistryCases, watcherRegistryContract } from './contract.ts';
import { MemoryWatcherRegistry } from '../src/memory.ts';
import type { Watching, WatcherRegistry } from '../src/registry.ts';

const fixtureOf = (registry: WatcherRegistry) => ({ open: async () => registry, remove: async () => undefined });

class InMemory extends MemoryWatcherRegistry {
  constructor() {
    super({ watchersOutliveIt: false });
  }
}

async function failuresOf(make: () => WatcherRegistry): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of watcherRegistryCases) {
    await run(fixtureOf(make())).catch(() => failed.push(name));
  }
  return failed;
}

class NotesLater extends InMemory {
  override async note(watcher: string, seen: number): Promise<void> {
    setImmediate(() => void super.note(watcher, seen));
  }
}

class BelievesTheLastNote extends InMemory {
  override async note(watcher: string, seen: number): Promise<void> {
    for (const { beat } of (await this.all()).filter((one) => one.watcher === watcher)) await this.drop(watcher, beat);
    await super.note(watcher, seen);
  }
}

class DropsDespiteNewerNote extends InMemory {
  override async drop(watcher: string): Promise<void> {
    for (const one of await this.all()) if (one.watcher === watcher) await super.drop(watcher, one.beat);
  }
}

class CountsBeats extends InMemory {
  private readonly counts = new Map<string, number>();
  override async note(watcher: string, seen: number): Promise<void> {
    this.counts.set(watcher, (this.counts.get(watcher) ?? 0) + 1);
    await super.note(watcher, seen);
  }
  override async all(): Promise<readonly Watching[]> {
    return (await super.all()).map((one) => ({ ...one, beat: String(this.counts.get(one.watcher)) }));
  }
  override async drop(watcher: string, beat: string): Promise<void> {
    const found = (await super.all()).find((one) => one.watcher === watcher);
    if (!found || String(this.counts.get(watcher)) !== beat) return;
    this.counts.delete(watcher);
    await super.drop(watcher, found.beat);
  }
}

class BeatsOnlyForNews extends InMemory {
  override async note(watcher: string, seen: number): Promise<void> {
    const found = (await this.all()).find((one) => one.watcher === watcher);
    if (!found || found.seen < seen) await super.note(watcher, seen);
  }
}

class NeverDrops extends InMemory {
  override async drop(): Promise<void> {}
}

watcherRegistryContract('Memory', async () => fixtureOf(new InMemory()));

describe('the contract of watcher registries', () => {
  it('passes for a correct registry', async () => expect(await failuresOf(() => new InMemory())).toEqual([]));

  it('fails for a registry that stores a note only after it has resolved', async () =>
    expect(await failuresOf(() => new NotesLater())).toContain('shows a note to every replica as soon as the note resolves'));

  it('fails for a registry that lets an old note lower the seen position', async () =>
    expect(await failuresOf(() => new BelievesTheLastNote())).toEqual(
      expect.arrayContaining(['never lowers the position of a watcher, even after a late older note']),
    ));

  it('fails for a registry that drops a watcher with a newer note', async () =>
    expect(await failuresOf(() => new DropsDespiteNewerNote())).toEqual([
      'keeps a watcher with a newer note',
      'shows a dropped watcher that returns, with a new beat',
    ]));

  it('fails for a registry that restarts the beats of a returning watcher', async () =>
    expect(await failuresOf(() => new CountsBeats())).toEqual(['shows a dropped watcher that returns, with a new beat']));

  it('fails for a registry that ignores a note with the same position', async () =>
    expect(await failuresOf(() => new BeatsOnlyForNews())).toEqual(
      expect.arrayContaining(['gives a new beat with each note, even with the same position', 'keeps a watcher with a newer note']),
    ));

  it('fails for a registry that does not drop watchers', async () =>
    expect(await failuresOf(() => new NeverDrops())).toContain('drops a watcher without a newer note'));
});

describe('a registry in memory with watchers in other processes', () => {
  it('starts with one watcher for all earlier ones', async () => {
    const registry = new MemoryWatcherRegistry({ watchersOutliveIt: true });
    expect(await registry.all()).toMatchObject([{ seen: 0 }]);
  });
});
