import { describe, expect, it } from '@jest/globals';
import { watcherRegistryCases, watcherRegistryContract } from './contract.ts';
import { MemoryWatcherRegistry } from '../src/memory.ts';
import type { Watching, WatcherRegistry } from '../src/registry.ts';

const placeOf = (registry: WatcherRegistry) => ({ open: async () => registry, remove: async () => undefined });

class InMemory extends MemoryWatcherRegistry {
  constructor() {
    super({ watchersOutliveIt: false });
  }
}

async function failuresOf(make: () => WatcherRegistry): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of watcherRegistryCases) {
    await run(placeOf(make())).catch(() => failed.push(name));
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

class DropsWhoWasNotedSince extends InMemory {
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

class DropsNobody extends InMemory {
  override async drop(): Promise<void> {}
}

watcherRegistryContract('Memory', async () => placeOf(new InMemory()));

describe('the contract for registries of watchers', () => {
  it('is met by one that does as it should', async () => expect(await failuresOf(() => new InMemory())).toEqual([]));

  it('catches one that notes after it has said so', async () =>
    expect(await failuresOf(() => new NotesLater())).toContain('shows a note to every replica from the moment that it is made'));

  it('catches one that lets an old note take back what was seen', async () =>
    expect(await failuresOf(() => new BelievesTheLastNote())).toEqual(
      expect.arrayContaining(['never takes back what a watcher has seen, however late an older note comes']),
    ));

  it('catches one that drops who was noted since', async () =>
    expect(await failuresOf(() => new DropsWhoWasNotedSince())).toEqual([
      'keeps who was noted since',
      'finds who was dropped and came again, and takes no old beat for the new one',
    ]));

  it('catches one that counts beats from the beginning for who comes again', async () =>
    expect(await failuresOf(() => new CountsBeats())).toEqual([
      'finds who was dropped and came again, and takes no old beat for the new one',
    ]));

  it('catches one that takes a note without news for none', async () =>
    expect(await failuresOf(() => new BeatsOnlyForNews())).toEqual(
      expect.arrayContaining(['gives another beat with each note, also with one that says nothing new', 'keeps who was noted since']),
    ));

  it('catches one that keeps the dead', async () =>
    expect(await failuresOf(() => new DropsNobody())).toContain('drops who was not noted since'));
});

describe('a registry in memory whose watchers are processes of their own', () => {
  it('begins with one that stands for those of before', async () => {
    const registry = new MemoryWatcherRegistry({ watchersOutliveIt: true });
    expect(await registry.all()).toMatchObject([{ seen: 0 }]);
  });
});
