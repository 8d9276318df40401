import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Instant } from '@parlance/decider';
import type { EventStore, Metadata } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { openSqliteFile, type SqliteFile } from '@parlance/sqlite';
import fc from 'fast-check';
import { add, patch, put, remove, update } from '../src/changes.ts';
import type { Failure } from '../src/errors.ts';
import { type Projection, projection } from '../src/projection.ts';
import { Projector } from '../src/running/projector.ts';
import type { ReadModels } from '../src/read-models.ts';
import { openSqliteReadModels, type SqliteReadModels } from '../src/sqlite/sqlite-read-models.ts';
import { table } from '../src/table.ts';

export type AccountEvent =
  | { type: 'Opened'; owner: string }
  | { type: 'Deposited'; amount: number }
  | { type: 'Renamed'; owner: string }
  | { type: 'Closed' };

export interface Account {
  readonly owner: string;
  readonly balance: number;
  readonly names: readonly string[];
}

export interface Total {
  readonly deposits: number;
  readonly sum: number;
}

export const accounts = table<Account>('accounts', { byOwner: ['owner', 'balance'] });
export const totals = table<Total>('totals');

export const accountsProjection = projection<AccountEvent>({
  name: 'accounts',
  version: 1,
  tables: [accounts],
  on: {
    Opened: (event, at) => [put(accounts, at.stream, { owner: event.owner, balance: 0, names: [event.owner] })],
    Deposited: ({ amount }, at) => [update(accounts, at.stream, (row) => row && { ...row, balance: row.balance + amount })],
    Renamed: ({ owner }, at) => [
      patch(accounts, at.stream, { owner }),
      update(accounts, at.stream, (row) => row && { ...row, names: [...row.names, owner] }),
    ],
    Closed: (_, at) => [remove(accounts, at.stream)],
  },
});
export const totalsProjection = projection<AccountEvent>({
  name: 'totals',
  version: 1,
  tables: [totals],
  on: { Deposited: ({ amount }) => [add(totals, 'all', { deposits: 1, sum: amount }, {})] },
});
export const both = [accountsProjection, totalsProjection];

/** The same projection with a function that throws while `isBroken` says so. */
export function breaking(isBroken: (event: AccountEvent) => boolean, spec: Partial<Projection> = {}): Projection {
  return {
    ...accountsProjection,
    ...spec,
    changes(event, at) {
      if (isBroken(event as AccountEvent)) throw new Error('no such owner');
      return accountsProjection.changes(event, at);
    },
  };
}

export const metadata: Metadata = {
  at: Instant.ofMillis(1),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'c',
  causationId: null,
};

const endings: (() => Promise<unknown>)[] = [];

/** Registers what a spec starts, to be ended afterwards. */
export function atEnd(end: () => Promise<unknown>): void {
  endings.push(end);
}

/** Ends everything that was started, last in, first out. */
export async function endAll(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end();
}

export interface Running {
  readonly models: SqliteReadModels;
  readonly projector: Projector;
  readonly failures: readonly Failure[];
}

export interface World {
  readonly file: SqliteFile;
  readonly store: EventStore;
  /** Returns the position. */
  append(stream: string, ...events: AccountEvent[]): Promise<number>;
  /** A process of some projections. The first one that is started has its rows written with each append. */
  start(projections: readonly Projection[], options?: { patienceMs?: number; store?: EventStore; inline?: boolean }): Promise<Running>;
}

/** A service's file, with a log that may be appended to before any projector runs. */
export async function world({ synced = false } = {}): Promise<World> {
  const path = await mkdtemp(join(tmpdir(), 'projector-'));
  atEnd(() => rm(path, { recursive: true }));
  const file = await openSqliteFile(join(path, 'service.db'), synced ? {} : { sync: () => Promise.resolve() });
  atEnd(() => file.close());
  const shared = await openSqliteReadModels(file);
  const store = await openSqliteEventStore(file, { beside: shared.besideAppend([]) });
  atEnd(() => store.close());
  const versions = new Map<string, number>();
  return {
    store,
    file,
    async append(stream, ...events) {
      const expected = versions.get(stream) ?? (await store.read(stream)).commits.at(-1)?.version ?? 0;
      versions.set(stream, expected + 1);
      return (await store.append({ stream, expected, events, metadata })).position;
    },
    async start(projections, { patienceMs = 10_000, store: log = store, inline = true } = {}) {
      const models = await openSqliteReadModels(file);
      if (inline) models.besideAppend(projections);
      const failures: Failure[] = [];
      const projector = new Projector({ store: log, models, projections, patienceMs, onError: (failure) => failures.push(failure) });
      atEnd(() => projector.stop());
      await projector.start();
      return { models, projector, failures };
    },
  };
}

export async function all(models: ReadModels): Promise<unknown> {
  const page = await models.find(accounts, { index: 'key', limit: 1_000 });
  return { accounts: Object.fromEntries(page.keys.map((key, place) => [key, page.rows[place]])), total: await models.get(totals, 'all') };
}

export type Commits = readonly { readonly stream: string; readonly events: readonly AccountEvent[] }[];

/** The rows, computed in another way. */
export function oracle(commits: Commits): unknown {
  const rows: Record<string, { owner: string; balance: number; names: string[] }> = {};
  const deposits: number[] = [];
  for (const { stream, events } of commits) {
    for (const event of events) {
      const row = rows[stream];
      if (event.type === 'Opened') rows[stream] = { owner: event.owner, balance: 0, names: [event.owner] };
      if (event.type === 'Closed') delete rows[stream];
      if (event.type === 'Deposited') deposits.push(event.amount);
      if (event.type === 'Deposited' && row) row.balance += event.amount;
      if (event.type === 'Renamed' && row) [row.owner] = [event.owner, row.names.push(event.owner)];
    }
  }
  const total = deposits.length === 0 ? null : { deposits: deposits.length, sum: deposits.reduce((sum, amount) => sum + amount, 0) };
  return { accounts: rows, total };
}

const event: fc.Arbitrary<AccountEvent> = fc.oneof(
  fc.record({ type: fc.constant('Opened' as const), owner: fc.constantFrom('ann', 'bob') }),
  fc.record({ type: fc.constant('Deposited' as const), amount: fc.integer({ min: -50, max: 50 }) }),
  fc.record({ type: fc.constant('Renamed' as const), owner: fc.constantFrom('cid', 'dan') }),
  fc.record({ type: fc.constant('Closed' as const) }),
);
export const history = fc.array(
  fc.record({ stream: fc.constantFrom('a', 'b', 'c'), events: fc.array(event, { minLength: 1, maxLength: 3 }) }),
  { maxLength: 40 },
);

/** Checks again after each turn of the event loop. */
export async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}
