import { Instant } from '@parlance/decider';
import { type EventStore, newId, type StoredEvent, VersionConflict } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import type { SqliteFile } from '@parlance/sqlite';
import { Fenced, type Outgoing, type Publisher } from '../broker.ts';
import type { ServiceLog } from '../log-broker.ts';
import { bytesOf } from './entry.ts';

type Sent = StoredEvent & { readonly outgoing: Outgoing };

/** The size of a commit is limited, but not the size of what is sent at once, so it is split. */
const COMMIT_BYTES = 1024 * 1024;

function* commitsOf(outgoing: readonly Outgoing[]): Generator<readonly Sent[]> {
  let [events, bytes]: [Sent[], number] = [[], 0];
  for (const each of outgoing) {
    events.push({ type: 'Sent', outgoing: each });
    bytes += bytesOf(each.event);
    if (bytes < COMMIT_BYTES) continue;
    yield events;
    [events, bytes] = [[], 0];
  }
  if (events.length > 0) yield events;
}

/**
 * A log, like those of the services, with the events of other publishers: specs and benchmarks send what a service would publish. Each
 * publisher has a stream, so the older of two publishers with the same name is refused because its version is stale.
 */
export class SentLog implements ServiceLog {
  readonly name = '';
  readonly topic = null;

  private constructor(
    readonly store: EventStore,
    private readonly now: () => number,
  ) {}

  static async open(file: SqliteFile, now: () => number): Promise<SentLog> {
    return new SentLog(await openSqliteEventStore(file), now);
  }

  /** Whether the file already has a log of sent events. */
  static isIn(file: SqliteFile): boolean {
    return file.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'commits'") !== undefined;
  }

  publish: ServiceLog['publish'] = ({ events }) => events.flatMap(({ event }) => (event as Sent).outgoing ?? []);

  relayed = async (): Promise<number> => 0;

  async publisher(name: string): Promise<Publisher> {
    const stream = `publisher-${name}`;
    let version = await this.#begin(stream);
    return {
      send: async (outgoing) => {
        for (const events of commitsOf(outgoing)) {
          try {
            await this.store.append({ stream, expected: version++, events, metadata: this.metadata() });
          } catch (error) {
            throw error instanceof VersionConflict ? new Fenced(name) : error;
          }
        }
      },
      close: async () => undefined,
    };
  }

  /** Advances the stream, so that an older publisher with the same name is refused. */
  async #begin(stream: string): Promise<number> {
    let last = 0;
    for (let more = true; more;) {
      const page = await this.store.read(stream, last);
      last = page.commits.at(-1)?.version ?? last;
      more = page.more;
    }
    return (await this.store.append({ stream, expected: last, events: [{ type: 'Begun' }], metadata: this.metadata() })).version;
  }

  private metadata() {
    const [at, id] = [Instant.ofMillis(this.now()), newId()];
    return { at, actor: null, ip: null, userAgent: null, requestId: id, correlationId: id, causationId: null };
  }
}
