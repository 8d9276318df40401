import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { EventStore } from '@parlance/event-store';
import type { Projection } from '../projection.ts';
import type { Cursor, ReadModels } from '../read-models.ts';
import type { Table, TableOwner } from '../table.ts';
import { ProjectionStopped } from '../errors.ts';
import { Follower } from './follower.ts';
import type { ForeignRunner } from './foreign.ts';
import { OwnRunner } from './own.ts';

/** The result of comparing the rows with rows built from the events. */
export interface Verdict {
  readonly rows: number;
  /** The first 20 rows that differ, as `table/key`. */
  readonly differing: readonly string[];
}

const REPORTED = 20;
/** Rows that may differ only because one copy is ahead of the other. Each is compared again. */
const SUSPECTS = 1_000;
const PAGE = { limit: 200, bytes: 256 * 1024 };
const LOOKS = 20;
const BETWEEN_LOOKS_MS = 50;

interface Suspect {
  readonly name: string;
  /** Reads both rows again, in one turn of the event loop if the store allows this. */
  isSame(): Promise<boolean>;
}

/** A second copy of the rows, built from the events up to the position of the first copy. */
export type CatchUp = () => Promise<void>;

/** A second copy of the rows of a projection of other services' events, from the logs of its sources. */
export async function foreignCopy(runner: ForeignRunner, scratch: ReadModels) {
  const copy = runner.on(scratch);
  await copy.readLogs();
  await copy.main.apply({ steps: [], reached: 1 });
  const catchUp = async () => {
    if (!(await copy.readLogs())) throw new ProjectionStopped(copy.projection.name, copy.stopped ?? 'it was interrupted');
  };
  return { catchUp, end: () => copy.stop() };
}

export async function ownCopy(store: EventStore, models: ReadModels, scratch: ReadModels, projection: Projection) {
  const failures: unknown[] = [];
  const runner = new OwnRunner(projection, scratch, (error) => failures.push(error));
  scratch.onBehind = () => runner.markStale();
  const follower = new Follower(store, [runner], ({ error }) => failures.push(error));
  await follower.start();
  const catchUp: CatchUp = async () => {
    const position = Number((await models.progress(projection.name)).at);
    await follower.until(() => (runner.includes(position) && runner.tracker.progress.ready) || failures.length > 0);
    if (failures.length > 0) throw failures[0];
  };
  return { catchUp, end: () => follower.stop() };
}

/**
 * Compares the rows with a second copy of them. While events come in, one copy may be ahead of the other: a row is reported if it
 * differs in every comparison.
 */
export async function compareCopies(models: ReadModels, scratch: ReadModels, tables: readonly Table[], catchUp: CatchUp): Promise<Verdict> {
  await catchUp();
  const { rows, suspects } = await compareOnce(models, scratch, tables);
  let differing = suspects;
  for (let look = 0; look < LOOKS && differing.length > 0; look += 1) {
    await delay(BETWEEN_LOOKS_MS);
    await catchUp();
    const isSame = await Promise.all(differing.map((one) => one.isSame()));
    differing = differing.filter((_, place) => !isSame[place]);
  }
  return { rows, differing: differing.slice(0, REPORTED).map(({ name }) => name) };
}

/** Runs some work on the rows of a second copy, and removes them. */
export async function inScratch(models: ReadModels, owner: TableOwner, work: (scratch: ReadModels) => Promise<Verdict>): Promise<Verdict> {
  const scratch = models.scratch();
  await scratch.prepare([owner]);
  // Removes the remains of a killed process.
  await scratch.drop(owner.name);
  await scratch.prepare([owner]);
  try {
    return await work(scratch);
  } finally {
    await scratch.drop(owner.name);
  }
}

/** Compares in both directions, so that rows in only one copy are found too. */
async function compareOnce(models: ReadModels, scratch: ReadModels, tables: readonly Table[]) {
  const suspects = new Map<string, Suspect>();
  let rows = 0;
  for (const table of tables) {
    for (const [one, other] of [[scratch, models] as const, [models, scratch] as const]) {
      for (let after: Cursor | null | undefined; after !== null;) {
        const page = await one.find(table, { index: 'key', ...PAGE, ...(after && { after }) });
        const its = await other.getMany(table, page.keys);
        if (one === scratch) rows += page.keys.length;
        for (const [place, key] of page.keys.entries()) {
          if (isDeepStrictEqual(page.rows[place], its.get(key)) || suspects.size >= SUSPECTS) continue;
          const isSame = async () => isDeepStrictEqual(...(await Promise.all([one.get(table, key), other.get(table, key)])));
          suspects.set(`${table.name}/${key}`, { name: `${table.name}/${key}`, isSame });
        }
        after = page.next;
        await setImmediate();
      }
    }
  }
  return { rows, suspects: [...suspects.values()] };
}
