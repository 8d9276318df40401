import type { Commit, EventStore } from '@parlance/event-store';
import { ChangeRefused, CheckpointMoved } from '../errors.ts';
import { changesOf, reasonOf } from '../fold.ts';
import type { Projection } from '../projection.ts';
import type { PublishedEvent } from '../published.ts';
import { MOST_PARKED, type Parking, type ReadModels, type Step } from '../read-models.ts';
import type { Change } from '../table.ts';
import type { ForeignRunner } from './foreign.ts';
import type { ProgressTracker } from './progress-tracker.ts';
import type { OwnRunner } from './own.ts';

/** The limit of one write of a redrive. */
const COMMITS = 50;
const BYTES = 256 * 1024;
/** The projection is paused for at most this many writes and this time. Then its other events are applied. */
const WRITES = 10;
const HELD_MS = 50;

/** Keys (streams), by whether the rows now include all of their events. */
export interface Redriven {
  readonly applied: readonly string[];
  readonly parked: readonly string[];
}

/**
 * Applies the commits of the service's own log that were set aside, stream by stream, up to the position that the rows of other streams
 * have reached. `letOthers` resolves when the runner has applied the commits that arrived while it was paused, or after a time limit.
 */
export async function redriveOwn(
  store: EventStore,
  models: ReadModels,
  runner: OwnRunner,
  isWanted: (key: string) => boolean,
  letOthers: () => Promise<void>,
): Promise<Redriven> {
  const { projection, tracker } = runner;
  const piece = { isHeld: false, writes: 0, until: 0 };
  const release = () => {
    runner.release();
    piece.isHeld = false;
  };
  const hold = async () => {
    if (piece.isHeld && piece.writes < WRITES && performance.now() < piece.until) return;
    if (piece.isHeld) {
      release();
      await letOthers();
    }
    await runner.hold();
    Object.assign(piece, { isHeld: true, writes: 0, until: performance.now() + HELD_MS });
    // Live rows would advance meanwhile. Commits without changes count as applied.
    await attempt(tracker, [], tracker.progress.live ? undefined : tracker.at);
    // An append may have set keys aside.
    await tracker.refresh();
  };
  try {
    await hold();
    return await each(models, projection.name, isWanted, async (key) => {
      for (let most = COMMITS; ; piece.writes += 1) {
        await hold();
        const entry = tracker.parked.get(key);
        if (!entry) return true;
        const { commits: page } = await store.read(key, entry.first - 1, most, BYTES);
        const commits = page.filter(({ position }) => position > 0 && position <= runner.position);
        const first = { key, number: entry.first, reason: entry.reason };
        const failure = await attempt(
          tracker,
          commits.length === 0 ? [{ unpark: first, changes: () => [] }] : piecesOf(first, commits, projection),
        );
        if (failure && commits.length === 1) {
          await attempt(tracker, [{ unpark: first, changes: () => [], park: { ...first, reason: reasonOf(failure.cause) } }]);
          return false;
        }
        if (failure) most = 1;
      }
    });
  } finally {
    release();
  }
}

/** One step for each commit, because a write may end after any of its steps. The key then stays set aside from the next commit on. */
function piecesOf(first: Parking, commits: readonly Commit[], projection: Projection): readonly Piece[] {
  return commits.map((commit, place) => ({
    unpark: place === 0 ? first : { ...first, number: commits[place - 1]!.version + 1 },
    park: { ...first, number: commit.version + 1 },
    changes: () => changesOf(projection, commit),
  }));
}

/** Applies letters, key by key. Letters from the catch-up precede letters of a partition. */
export async function redriveForeign(models: ReadModels, runner: ForeignRunner, isWanted: (key: string) => boolean): Promise<Redriven> {
  const { name } = runner.projection;
  return each(models, name, isWanted, async (key) => {
    for (;;) {
      const entries = await models.parked(name, MOST_PARKED, key);
      const entry = entries.find(({ line }) => line === '') ?? entries[0];
      if (!entry) return true;
      const tracker = await runner.trackerAt(entry.line);
      const [letter] = await models.letters(name, entry, 1);
      if (!letter) continue;
      const failure = await attempt(tracker, [
        { unpark: letter, changes: () => runner.projection.changes(letter.letter as PublishedEvent) },
      ]);
      if (failure) {
        await attempt(tracker, [{ unpark: letter, changes: () => [], park: { ...letter, reason: reasonOf(failure.cause) } }]);
        return false;
      }
      if (entry.line === '') await releaseKey(models, runner);
    }
  });
}

/** Each partition holds back the keys that were set aside during the catch-up, so all of them must read their records again, in all processes. */
async function releaseKey(models: ReadModels, runner: ForeignRunner): Promise<void> {
  for (const name of (await models.lines(runner.projection.name)).keys()) {
    const tracker = await runner.trackerAt(name);
    await attempt(tracker, []);
    await tracker.refresh();
  }
}

/** The changes that replace an entry, and the entry that is set aside instead. */
interface Piece {
  readonly unpark: Parking;
  readonly park?: Parking;
  changes(): readonly Change[];
}

/** Writes all pieces or the first of them. If that is impossible, it writes none and returns the reason. */
async function attempt(tracker: ProgressTracker, pieces: readonly Piece[], to?: string): Promise<{ readonly cause: unknown } | null> {
  let steps: readonly Step[];
  try {
    steps = pieces.map(({ changes, ...piece }) => ({ ...piece, changes: changes() }));
  } catch (cause) {
    return { cause };
  }
  try {
    await tracker.apply({ steps: to === undefined ? steps : [{ to, changes: [] }], live: false });
  } catch (cause) {
    if (!(cause instanceof CheckpointMoved || cause instanceof ChangeRefused)) throw cause;
    await tracker.refresh();
    // Advanced by another writer: the caller reads it again.
    if (cause instanceof ChangeRefused) return { cause };
  }
  return null;
}

async function each(
  models: ReadModels,
  projection: string,
  isWanted: (key: string) => boolean,
  redrive: (key: string) => Promise<boolean>,
): Promise<Redriven> {
  const [applied, parked]: [string[], string[]] = [[], []];
  const all = await models.parked(projection, MOST_PARKED);
  for (const key of new Set(all.map((entry) => entry.key))) {
    if (isWanted(key)) ((await redrive(key)) ? applied : parked).push(key);
  }
  return { applied, parked };
}
