import { type Append, type Appended, type Earlier, VersionConflict } from '../src/append.ts';
import { type Commit, EventStore, type Page, type Snapshot } from '../src/event-store.ts';

/** Passes every call to a correct store. The broken stores below override one method. */
export class Faithful extends EventStore {
  readonly joinsCompanions: boolean;
  constructor(protected readonly inner: EventStore) {
    super();
    this.joinsCompanions = inner.joinsCompanions;
  }
  append(append: Append): Promise<Appended> {
    return this.inner.append(append);
  }
  earlier(names: readonly string[]): Promise<readonly Earlier[]> {
    return this.inner.earlier(names);
  }
  pruneOnce(before: number): Promise<boolean> {
    return this.inner.pruneOnce(before);
  }
  read(...limits: Parameters<EventStore['read']>): Promise<Page> {
    return this.inner.read(...limits);
  }
  readAll(...limits: Parameters<EventStore['readAll']>): Promise<readonly Commit[]> {
    return this.inner.readAll(...limits);
  }
  head(): Promise<number> {
    return this.inner.head();
  }
  positionOf(stream: string, version: number): Promise<number> {
    return this.inner.positionOf(stream, version);
  }
  grown(after: number, signal: AbortSignal): Promise<void> {
    return this.inner.grown(after, signal);
  }
  loadSnapshot(stream: string, shape: string): Promise<Snapshot | null> {
    return this.inner.loadSnapshot(stream, shape);
  }
  saveSnapshot(stream: string, snapshot: Snapshot): Promise<void> {
    return this.inner.saveSnapshot(stream, snapshot);
  }
  close(): Promise<void> {
    return this.inner.close();
  }
}

const versionOf = async (store: EventStore, stream: string) => (await store.read(stream)).commits.length;

class ForgetsTheVersionCheck extends Faithful {
  override async append(append: Append): Promise<Appended> {
    for (;;) {
      try {
        return await super.append({ ...append, expected: await versionOf(this.inner, append.stream) });
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
      }
    }
  }
}

class TakesEarlyVersions extends Faithful {
  override async append(append: Append): Promise<Appended> {
    const there = await versionOf(this.inner, append.stream);
    return super.append({ ...append, expected: Math.min(append.expected, there) });
  }
}

class SkipsAPosition extends Faithful {
  override async readAll(after: number, limit: number): Promise<readonly Commit[]> {
    const commits = await super.readAll(after > 5 ? after - 1 : after, limit);
    return commits.map((commit) => (commit.position < 5 ? commit : { ...commit, position: commit.position + 1 }));
  }
}

class MissesACommitUnderLoad extends Faithful {
  private busy = 0;
  private misses = false;
  override async append(append: Append): Promise<Appended> {
    this.busy++;
    // The load may have ended before the next read begins.
    this.misses ||= this.busy > 10;
    return super.append(append).finally(() => this.busy--);
  }
  override async readAll(after: number, limit: number): Promise<readonly Commit[]> {
    const commits = await super.readAll(after, limit);
    return this.misses ? commits.slice(1) : commits;
  }
}

class SwapsCommitsOfAStream extends Faithful {
  override async readAll(after: number, limit: number): Promise<readonly Commit[]> {
    const commits = [...(await super.readAll(after, limit))];
    const [first, second] = commits.filter(({ stream }) => stream === commits[0]?.stream);
    if (!first || !second) return commits;
    return commits.map((commit) => {
      if (commit === first) return { ...second, position: first.position };
      return commit === second ? { ...first, position: second.position } : commit;
    });
  }
}

class DropsOnce extends Faithful {
  override append({ once: _, ...append }: Append): Promise<Appended> {
    return super.append(append);
  }
}

class LooksUpOnceBeforehand extends Faithful {
  private static readonly used = new Map<string, Earlier>();
  override async append({ once, ...append }: Append): Promise<Appended> {
    const name = String(once);
    const earlier = LooksUpOnceBeforehand.used.get(name);
    if (earlier) return { ...earlier, written: false, events: [], earlier: [earlier] };
    const appended = await super.append(append);
    LooksUpOnceBeforehand.used.set(name, { name, stream: append.stream, version: appended.version, position: appended.position });
    return appended;
  }
}

class ChecksTheFirstNameOnly extends Faithful {
  override append({ once, ...append }: Append): Promise<Appended> {
    const [name] = [once].flat();
    return super.append(name === undefined ? append : { ...append, once: name });
  }
}

class ForgetsAllNames extends Faithful {
  override pruneOnce(): Promise<boolean> {
    return super.pruneOnce(Number.MAX_SAFE_INTEGER);
  }
}

class KeepsNamesForEver extends Faithful {
  override async pruneOnce(): Promise<boolean> {
    return false;
  }
}

class KnowsNoNames extends Faithful {
  override async earlier(): Promise<readonly Earlier[]> {
    return [];
  }
}

/** Splits a large commit into two. */
class TakesAnySize extends Faithful {
  override async append(append: Append): Promise<Appended> {
    const large = JSON.stringify(append.events).length > 1024 * 1024;
    return super.append(large ? { ...append, events: [{ type: 'Cut' }] } : append);
  }
}

class AlwaysSaysThereIsMore extends Faithful {
  override async read(...limits: Parameters<EventStore['read']>): Promise<Page> {
    return { ...(await super.read(...limits)), more: true };
  }
}

class WritesCompanionsFirst extends Faithful {
  override async append({ companions, ...append }: Append): Promise<Appended> {
    if (companions) {
      const expected = await versionOf(this.inner, 'companions');
      await super.append({ stream: 'companions', expected, events: [{ type: 'Written' }], metadata: append.metadata, companions });
    }
    return super.append(append);
  }
}

class KeepsOneSnapshotOfAllShapes extends Faithful {
  override loadSnapshot(stream: string): Promise<Snapshot | null> {
    return super.loadSnapshot(stream, 'any');
  }
  override saveSnapshot(stream: string, snapshot: Snapshot): Promise<void> {
    return super.saveSnapshot(stream, { ...snapshot, shape: 'any' });
  }
}

class LosesTheLastEvent extends Faithful {
  override append(append: Append): Promise<Appended> {
    return super.append({ ...append, events: append.events.slice(0, Math.max(1, append.events.length - 1)) });
  }
}

class AnswersBeforeWriting extends Faithful {
  override async append(append: Append): Promise<Appended> {
    const written = super.append(append);
    written.catch(() => undefined);
    const events = append.events.map((event) => ({ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', schema: 1, event }));
    return { position: 0, version: append.expected + 1, written: true, events, earlier: [] };
  }
}

class LeavesATraceOfTheRefused extends Faithful {
  override async append(append: Append): Promise<Appended> {
    try {
      return await super.append(append);
    } catch (error) {
      await super.append({ ...append, stream: 'refused', expected: await versionOf(this.inner, 'refused') }).catch(() => undefined);
      throw error;
    }
  }
}

class KeepsMetadataOfTheFirst extends Faithful {
  override append(append: Append): Promise<Appended> {
    return super.append({ ...append, metadata: { ...append.metadata, causationId: null } });
  }
}

class NeverWakes extends Faithful {
  override grown(_: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  }
}

class ForgetsSnapshots extends Faithful {
  override async saveSnapshot(): Promise<void> {}
}

class ReturnsPositionsOfItsOwn extends Faithful {
  override async positionOf(_: string, version: number): Promise<number> {
    return version;
  }
}

/** Broken stores, and the case that detects each of them. */
export const broken: readonly [new (inner: EventStore) => EventStore, string][] = [
  [ForgetsTheVersionCheck, 'refuses an append based on an older version'],
  [ForgetsTheVersionCheck, 'lets exactly one of fifty writers at one version win'],
  [TakesEarlyVersions, 'refuses an append based on a version that does not exist'],
  [SkipsAPosition, 'assigns positions without gaps, in the order of each stream'],
  [SwapsCommitsOfAStream, 'assigns positions without gaps, in the order of each stream'],
  [MissesACommitUnderLoad, 'shows every commit once, in order, to a follower under load'],
  [DropsOnce, 'writes an append with a name once, whatever version the repeat is based on'],
  [DropsOnce, 'writes an append with a name once across all streams, and distinguishes names'],
  [LooksUpOnceBeforehand, 'writes an append with a name once among concurrent repeats'],
  [ChecksTheFirstNameOnly, 'accepts several names, and writes nothing if one of them was used'],
  [KnowsNoNames, 'returns which names were used, and where'],
  [KnowsNoNames, 'treats a repeat as done even if its own effect would now refuse it'],
  [ForgetsAllNames, 'deletes the names of commits before a position, and no others'],
  [KeepsNamesForEver, 'deletes the names of commits before a position, and no others'],
  [TakesAnySize, 'refuses a commit that is too large, and keeps nothing of it or its name'],
  [AlwaysSaysThereIsMore, 'reports whether a stream continues after a page'],
  [WritesCompanionsFirst, 'writes no companion of an append that is refused, conflicts, or has a used name'],
  [LosesTheLastEvent, 'keeps the events of an append complete and in order'],
  [AnswersBeforeWriting, 'has stored an append when it resolves'],
  [LeavesATraceOfTheRefused, 'leaves neither a trace nor a gap of a refused append'],
  [KeepsMetadataOfTheFirst, 'returns the appended events with their metadata'],
  [NeverWakes, 'wakes readers that wait for it to grow'],
  [ForgetsSnapshots, 'keeps the newest snapshot of each shape'],
  [KeepsOneSnapshotOfAllShapes, 'keeps the newest snapshot of each shape'],
  [ReturnsPositionsOfItsOwn, 'returns the position of a version, when the log can be read up to it'],
];
