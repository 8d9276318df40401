import { setImmediate } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { type Commit, EventStore } from '@parlance/event-store';
import { MasterKey } from '@parlance/privacy';
import { type Cursor, type Page, ReadModels } from '@parlance/read-models';
import { queryWith } from '../bus.ts';
import { chainHashes } from '../commands/chain-hashes.ts';
import { AuditChain, type Broken, type ChainHashes } from '../domain/audit-chain.ts';
import { type AuditTrailEvent, AUDIT_TRAIL_STREAM, chained } from '../domain/audit-trail.ts';
import { type AuditRow, asOfRows, auditRows } from './audit-log.ts';

/** The newest entry at some time, with the stream version of the commit that contains it. */
export interface AuditHead {
  readonly id: string;
  readonly hash: string;
  readonly version: number;
}

export interface Verdict {
  readonly checked: number;
  readonly head: AuditHead | null;
  readonly broken: Broken | null;
}

/** The bytes of events or rows that are read at once. Checking them takes about 5 ms. */
const PAGE_BYTES = 128 * 1024;
const PAGE_COMMITS = 200;

/**
 * Recomputes the chain of the audit log from the log itself, and compares the rows that administrators see. `heads` were exported earlier:
 * the log must contain each of them.
 */
export const AuditLogVerified = queryWith(
  'AuditLogVerified',
  [EventStore, ReadModels, MasterKey],
  async ([store, models, master], heads: readonly AuditHead[] = []): Promise<Verdict> => {
    // This is read first, because the rows include everything up to this position.
    const shown = (await models.get(asOfRows, 'newest'))?.position ?? 0;
    const rows = new RowComparison(models);
    const verdict = await verifyChain(store, chainHashes(master), {
      heads,
      alsoIn: async (commits) => {
        const due = commits.filter(({ position }) => position > 0 && position <= shown);
        return due.length === 0 ? null : rows.compare(due);
      },
    });
    const broken = verdict.broken ?? (await rows.compare([], shown)) ?? (await rows.outsideLog(await store.head()));
    return { ...verdict, broken };
  },
);

/** For commands outside the service: the chain and the heads, without the rows. The application need not be initialised. */
export function verifyAuditLog(app: INestApplicationContext, heads: readonly AuditHead[]): Promise<Verdict> {
  return verifyChain(app.get(EventStore), chainHashes(app.get(MasterKey)), { heads });
}

interface Checks {
  readonly heads?: readonly AuditHead[];
  /** A further check of each page of commits. */
  readonly alsoIn?: (commits: readonly Commit<AuditTrailEvent>[]) => Promise<Broken | null>;
  /** A head up to which the log was verified earlier: the check begins after it. */
  readonly after?: AuditHead;
}

/** Follows the chain from its first entry to its newest, one bounded page at a time. */
export async function verifyChain(
  store: Pick<EventStore, 'read'>,
  hashes: ChainHashes,
  { heads = [], alsoIn, after }: Checks = {},
): Promise<Verdict> {
  const chain = new AuditChain(hashes, after ?? null);
  let version = after?.version ?? 0;
  let other = after ? await missingHead(store, after) : null;
  for (;;) {
    const { commits, more } = await store.read(AUDIT_TRAIL_STREAM, version, PAGE_COMMITS, PAGE_BYTES);
    for (const { events } of commits) for (const { event } of events) chain.follow(event as AuditTrailEvent);
    version = commits.at(-1)?.version ?? version;
    other ??= (await alsoIn?.(commits as readonly Commit<AuditTrailEvent>[])) ?? null;
    if (!more || commits.length === 0) break;
    await setImmediate();
  }
  for (const head of heads) other ??= await missingHead(store, head);
  return { checked: chain.entries, head: chain.head && { ...chain.head, version }, broken: chain.firstBroken ?? other };
}

/** Detects that an exported head is not in the log, because the end was cut off, or the log was restored or rewritten. */
async function missingHead(store: Pick<EventStore, 'read'>, { id, hash, version }: AuditHead): Promise<Broken | null> {
  const { commits } = await store.read(AUDIT_TRAIL_STREAM, version - 1, 1);
  const commit = commits[0];
  const last = commit?.version === version ? (commit.events.at(-1)?.event as AuditTrailEvent | undefined) : undefined;
  if (last?.entry.id === id && last.hash === hash) return null;
  return { id, reason: 'is the exported head and not in the log: the log was cut off, restored or rewritten' };
}

/** Compares rows with the entries of the log. Rows are in the order of the log, so both are read once, in step. */
class RowComparison {
  private last = 0;

  constructor(private readonly models: ReadModels) {}

  /** Compares the rows up to the position of the last of these commits, or up to `to`. */
  async compare(commits: readonly Commit<AuditTrailEvent>[], to = commits.at(-1)?.position ?? 0): Promise<Broken | null> {
    const expected = new Map<string, AuditRow>();
    for (const { position, events } of commits)
      for (const { event } of events) expected.set(event.entry.id, { ...event.entry, hash: event.hash, position });
    let other: Broken | null = null;
    for (let after: Cursor | null = null; ;) {
      const page: Page<AuditRow> = await this.models.find(auditRows, {
        index: 'byPosition',
        from: this.last + 1,
        to,
        limit: 1_000,
        bytes: PAGE_BYTES,
        ...(after && { after }),
      });
      for (const [n, row] of page.rows.entries()) {
        const key = page.keys[n]!;
        if (!isShown(row, expected.get(key))) other ??= { id: key, reason: 'is shown differently from what was recorded' };
        expected.delete(key);
      }
      after = page.next;
      if (!after) break;
      await setImmediate();
    }
    this.last = to;
    const lost = expected.keys().next().value;
    return other ?? (lost === undefined ? null : { id: lost, reason: 'is in the log and not shown' });
  }

  /** Finds a row at a position outside the log. */
  async outsideLog(head: number): Promise<Broken | null> {
    const ends = (['asc', 'desc'] as const).map((order) => this.models.find(auditRows, { index: 'byPosition', order, limit: 1 }));
    for (const { rows, keys } of await Promise.all(ends)) {
      const position = rows[0]?.position ?? 1;
      if (typeof position !== 'number' || position < 1 || position > head) return { id: keys[0]!, reason: 'is shown and not in the log' };
    }
    return null;
  }
}

const isShown = (row: AuditRow, expected: AuditRow | undefined): boolean =>
  expected !== undefined &&
  row.hash === expected.hash &&
  row.position === expected.position &&
  Object.keys(row).length === Object.keys(expected).length &&
  chained('', row) === chained('', expected);
