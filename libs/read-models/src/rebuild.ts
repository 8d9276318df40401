import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore } from '@parlance/event-store';
import type { Build } from './builds.ts';
import { type Comparison, differences, differs, type Key, REPORTED } from './compare.ts';
import { BuildLost, OtherVersion } from './errors.ts';
import type { ForeignEvent, ForeignProjection, Projection } from './projection.ts';
import type { ReadModels, TableOwner } from './read-models.ts';
import { changesOf, ProjectionStopped } from './runner.ts';

/** Larger than the batches of everyday work: nobody waits for one, and each costs an fsync. */
const COMMITS = 2_000;
const LEASE_MS = 15_000;
/** How long deliveries may have to wait for the end of a foreign projection's rebuild, before it tries again. */
const HOLD_MS = 60_000;
/** Rows that may have looked different only because one generation was a little ahead, looked at again at the end. */
const SUSPECTS = 1_000;
/** While the living generation runs on, the same place on both sides may be hard to meet: what is in doubt after this is reported. */
const SETTLE_MS = 5_000;

/** Reads topics from their beginning, as `Broker.replay` does, handing on each event and waiting for it. */
export type Replay = (handle: (event: ForeignEvent) => Promise<void>) => Promise<void>;

/** A build in the making: ours as long as the claim is renewed. */
interface Site {
  readonly builder: string;
  readonly build: Build;
  readonly living: ReadModels;
  readonly next: ReadModels;
  /** Whether the living rows were made by the same functions, so that they should be the same. */
  readonly comparable: boolean;
  readonly lost: AbortSignal;
}

/**
 * Makes a projection's rows anew from the log's beginning, beside the living ones, compares and switches. Answers null while another
 * process is at it. Rejects with `ProjectionStopped` when a handler throws; then, as after a crash, the living rows are as they were.
 */
export function rebuildFromLog(
  store: EventStore,
  models: ReadModels,
  projection: Projection,
  signal: AbortSignal,
): Promise<Comparison | null> {
  return onSite(models, projection, signal, async (site) => {
    const livingPosition = async () => (await models.builds.living(projection.name)).checkpoint;
    let position = await readTo(store, site, projection, 0, await livingPosition());
    const { rows, keys } = await differences(site.living, site.next, projection.tables, SUSPECTS);
    const deadline = performance.now() + SETTLE_MS;
    /** Rows are told apart at one place of the log: the living one must not have moved while its row was read. */
    const reallyDiffers = async (key: Key): Promise<boolean> => {
      while (site.comparable && performance.now() < deadline) {
        const at = await livingPosition();
        position = await readTo(store, site, projection, position, at);
        if (!(await differs(site.living, site.next, key))) return false;
        if (position === at && (await livingPosition()) === at) return true;
        await delay(5);
      }
      return true;
    };
    const differing: Key[] = [];
    for (const key of keys) if (differing.length < REPORTED && (await reallyDiffers(key))) differing.push(key);
    do position = await readTo(store, site, projection, position, await store.head());
    while (!(await models.builds.switchTo(site.build, site.builder, 'as-far')));
    return report(rows, differing);
  });
}

/** The same for a projection of other services' events. Deliveries go on meanwhile, and wait during a second, short look at the topics. */
export function rebuildFromTopics(
  models: ReadModels,
  projection: ForeignProjection,
  replay: Replay,
  signal: AbortSignal,
): Promise<Comparison | null> {
  return onSite(models, projection, signal, async (site) => {
    await replayInto(site, projection, replay);
    const { rows, keys } = await differences(site.living, site.next, projection.tables, SUSPECTS);
    const differing: Key[] = [];
    for (let held = HOLD_MS; ; held *= 2) {
      await models.builds.hold(projection.name, site.builder, held);
      try {
        // What had effect on the living rows is in the topics by now, and nothing more will.
        await replayInto(site, projection, replay);
        differing.length = 0;
        for (const key of keys) if (differing.length < REPORTED && (await differs(site.living, site.next, key))) differing.push(key);
        if (await models.builds.switchTo(site.build, site.builder, 'held')) return report(rows, differing);
      } finally {
        await models.builds.release(projection.name, site.builder);
      }
    }
  });
}

function report(rows: number, differing: readonly Key[]): Comparison {
  return { rows, differing: differing.slice(0, REPORTED).map(({ table, key }) => `${table.name}/${key}`) };
}

async function onSite(
  models: ReadModels,
  owner: TableOwner,
  signal: AbortSignal,
  work: (site: Site) => Promise<Comparison>,
): Promise<Comparison | null> {
  const builder = crypto.randomUUID();
  const living = await models.builds.living(owner.name);
  if (living.version > owner.version) throw new OtherVersion(owner.name, living.version, owner.version);
  const build = await models.builds.begin(owner, builder, LEASE_MS);
  if (!build) return null;
  const lost = new AbortController();
  const renewal = setInterval(() => {
    models.builds.renew(build, builder, LEASE_MS).then(
      (kept) => kept || lost.abort(new BuildLost(owner.name)),
      () => undefined, // the next one may do; after the lease the build counts as left behind
    );
  }, LEASE_MS / 3);
  try {
    return await work({
      builder,
      build,
      living: models.at(living),
      next: models.at(build),
      comparable: living.version === owner.version,
      lost: AbortSignal.any([signal, lost.signal]),
    });
  } catch (error) {
    await models.builds.abandon(build);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** Carries the build on to a place of the log; answers where it stands. Reads on while the last rows are being written. */
async function readTo(store: EventStore, site: Site, projection: Projection, from: number, to: number): Promise<number> {
  let position = from;
  let written: Promise<unknown> = Promise.resolve();
  while (position < to) {
    site.lost.throwIfAborted();
    const commits = await store.readAll(position, Math.min(COMMITS, to - position));
    if (commits.length === 0) break;
    const { changes, to: reached, failure } = changesOf(projection, commits, position);
    if (failure) {
      await written;
      throw new ProjectionStopped(projection.name, failure.position, failure.cause);
    }
    await written;
    written = site.next.apply({ projection: projection.name, checkpoint: { from: position, to: reached }, changes });
    // Awaited in the next round; until then nobody else listens.
    written.catch(() => undefined);
    position = reached;
  }
  await written;
  return position;
}

async function replayInto(site: Site, projection: ForeignProjection, replay: Replay): Promise<void> {
  let waiting: ForeignEvent[] = [];
  const flush = async () => {
    const events = new Map(waiting.map((event) => [event.id, event]));
    waiting = [];
    const unseen = await site.next.unseen(projection.name, [...events.keys()]);
    const changes = unseen.flatMap((id) => projection.changes(events.get(id)!));
    if (unseen.length > 0) await site.next.apply({ projection: projection.name, seen: unseen, changes });
  };
  // One at a time, however many partitions the replay reads at once: a flush must see what the one before it wrote.
  let turn: Promise<void> = Promise.resolve();
  const flushInTurn = () => (turn = turn.then(flush));
  await replay(async (event) => {
    site.lost.throwIfAborted();
    waiting.push(event);
    if (waiting.length >= COMMITS) await flushInTurn();
  });
  await flushInTurn();
}
