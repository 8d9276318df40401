import { MemoryWatcherRegistry, RevocationFeed, RevocationRecords, type RevocationRow } from '@parlance/revocation';
import type { FastifyInstance } from 'fastify';

const PATH = '/internal/revocations';

type PollQuery = Readonly<Record<'watcher' | 'wait', string> & { seen?: string }>;

/** The revocations of a stand-in for identity. */
export interface Revoking {
  /** Resolves when a sign-out would be answered, which is when no edge uses an older copy. */
  revoke(...keys: string[]): Promise<void>;
  lift(...keys: string[]): Promise<void>;
  readonly feed: RevocationFeed;
  /** How many times single keys were requested. */
  readonly asked: number;
}

export const answersRevocations = (service: FastifyInstance) => service.hasRoute({ method: 'GET', url: PATH });

/** Makes a stub answer edges as identity does, from rows in memory. */
export function answerRevocations(service: FastifyInstance): Revoking {
  const records = new RecordsInMemory();
  const feed = new RevocationFeed(records, new MemoryWatcherRegistry({ watchersOutliveIt: false }));
  let asked = 0;
  service.get<{ Querystring: PollQuery }>(PATH, ({ query: { watcher, seen, wait } }) =>
    feed.poll({ watcher, seen: seen === undefined ? null : Number(seen), wait: Number(wait) }),
  );
  service.get<{ Querystring: { keys: string } }>(`${PATH}/state`, async ({ query: { keys } }) => {
    asked += 1;
    return { revoked: await feed.revokedOf(keys.split(',')) };
  });
  service.addHook('preClose', async () => feed.close());
  return {
    revoke: (...keys) => feed.seenByAll(records.write(keys, true)),
    lift: (...keys) => feed.seenByAll(records.write(keys, false)),
    feed,
    get asked() {
      return asked;
    },
  };
}

class RecordsInMemory extends RevocationRecords {
  private readonly rows = new Map<string, RevocationRow>();
  private position = 0;

  write(keys: readonly string[], revoked: boolean): number {
    this.position += 1;
    for (const key of keys) this.rows.set(key, { key, revoked, position: this.position, until: Number.MAX_SAFE_INTEGER });
    return this.position;
  }

  reached = async () => this.position;
  head = async () => this.position;
  storedHead = this.head;
  since = async (position: number) => [...this.rows.values()].filter((row) => row.position > position);
  holding = async () => [...this.rows.values()].filter(({ revoked }) => revoked);
  of = async (keys: readonly string[]) => [...this.rows.values()].filter(({ key }) => keys.includes(key));
  // No other process writes revocations, so `seenByAll` reports every change.
  grown = (_: number, signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
}
