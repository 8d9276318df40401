import type { EventStore } from '@parlance/event-store';
import { ChangeRefused, CheckpointMoved } from '../errors.ts';
import { changesOf, reasonOf } from '../fold.ts';
import type { PublishedEvent } from '../published.ts';
import { MOST_PARKED, type Parking, type ReadModels } from '../read-models.ts';
import type { Change } from '../table.ts';
import type { ForeignRunner } from './foreign.ts';
import type { Line } from './line.ts';
import type { OwnRunner } from './own.ts';

/** One write of a redrive takes at most this. */
const COMMITS = 50;
const BYTES = 256 * 1024;

/** Keys (streams), by whether all of their events are in the rows now. */
export interface Redriven {
  readonly applied: readonly string[];
  readonly parked: readonly string[];
}

/** Applies what was set aside of the own log, stream by stream, up to the place that the rows of other streams have reached. */
export async function redriveOwn(
  store: EventStore,
  models: ReadModels,
  runner: OwnRunner,
  isWanted: (key: string) => boolean,
): Promise<Redriven> {
  const { projection, line } = runner;
  await runner.hold();
  try {
    // Rows that are live would move on beside this. What was read without changes counts as well.
    await attempt(line, [], () => [], line.progress.live ? undefined : line.at);
    // An append may have set keys aside.
    await line.refresh();
    return await each(models, projection.name, isWanted, async (key) => {
      for (let most = COMMITS; ;) {
        const entry = line.parked.get(key);
        if (!entry) return true;
        const { commits: page } = await store.read(key, entry.first - 1, most, BYTES);
        const commits = page.filter(({ position }) => position > 0 && position <= runner.position);
        const rest = commits.length === 0 ? [] : [{ key, number: commits.at(-1)!.version + 1, reason: entry.reason }];
        const first = { key, number: entry.first, reason: entry.reason };
        const failure = await attempt(line, [first, ...rest], () => commits.flatMap((commit) => changesOf(projection, commit)));
        if (failure && commits.length === 1) {
          await attempt(line, [first, { ...first, reason: reasonOf(failure.cause) }], () => []);
          return false;
        }
        if (failure) most = 1;
      }
    });
  } finally {
    runner.release();
  }
}

/** Applies letters, key by key. Those from the time of the catch-up come before those of a partition. */
export async function redriveForeign(models: ReadModels, runner: ForeignRunner, isWanted: (key: string) => boolean): Promise<Redriven> {
  const { name } = runner.projection;
  return each(models, name, isWanted, async (key) => {
    for (;;) {
      const entries = await models.parked(name, MOST_PARKED, key);
      const entry = entries.find(({ line }) => line === '') ?? entries[0];
      if (!entry) return true;
      const line = await runner.lineAt(entry.line);
      const [letter] = await models.letters(name, entry, 1);
      if (!letter) continue;
      const failure = await attempt(line, [letter], () => runner.projection.changes(letter.letter as PublishedEvent));
      if (failure) {
        await attempt(line, [letter, { ...letter, reason: reasonOf(failure.cause) }], () => []);
        return false;
      }
      if (entry.line === '') await releaseKey(models, runner);
    }
  });
}

/** All partitions hold a key back that was set aside before there were any: each has to read its record again, also in other processes. */
async function releaseKey(models: ReadModels, runner: ForeignRunner): Promise<void> {
  for (const name of await models.lines(runner.projection.name)) {
    const line = await runner.lineAt(name);
    await attempt(line, [], () => []);
    await line.refresh();
  }
}

/** Makes changes in place of the first entry, and sets the second one aside instead. Answers why that can't be done. */
async function attempt(
  line: Line,
  [before, after]: readonly Parking[],
  make: () => readonly Change[],
  to?: string,
): Promise<{ readonly cause: unknown } | null> {
  let changes: readonly Change[];
  try {
    changes = make();
  } catch (cause) {
    return { cause };
  }
  try {
    await line.apply({
      steps: [{ ...(to !== undefined && { to }), changes, ...(before && { unpark: before }), ...(after && { park: after }) }],
      live: false,
    });
  } catch (cause) {
    if (!(cause instanceof CheckpointMoved || cause instanceof ChangeRefused)) throw cause;
    await line.refresh();
    // Moved on by another writer: the caller looks again.
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
