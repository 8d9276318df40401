import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binary, ClientSession, Collection, Db, MongoClient } from 'mongodb';

const BEAT_MS = 1_000;
/** A writer whose beat did not change in this many checks counts as crashed. */
const SILENT_LOOKS = 3;

interface WriterDocument {
  readonly _id: string;
  /** Different in each beat. */
  readonly beat: string;
  readonly sessions: readonly Binary[];
}

interface Seen {
  readonly beat: string;
  readonly looks: number;
}

/**
 * The processes that write read models, and the sessions of their transactions. MongoDB keeps the transaction of a crashed client open for
 * a minute, which blocks the progress record that the next batch must update. So a process that sees no beat of another process ends that
 * process's sessions. If the other process was only slow, the server makes it repeat the transaction. No clocks are compared.
 */
export class MongoWriters {
  private readonly id = randomUUID();
  private readonly writers: Collection<WriterDocument>;
  private readonly sessions: ClientSession[] = [];
  private readonly free: ClientSession[] = [];
  private readonly stopping = new AbortController();
  private beating: Promise<void> | undefined;
  private seen: ReadonlyMap<string, Seen> = new Map();

  constructor(
    private readonly client: MongoClient,
    private readonly db: Db,
    private readonly beatMs = BEAT_MS,
  ) {
    this.writers = db.collection('read_model_writers');
  }

  /** Runs in one transaction. Runs again if the server requests it: after conflicts, elections or lost answers. */
  async transact<Result>(work: (session: ClientSession) => Promise<Result>): Promise<Result> {
    const session = this.free.pop() ?? (await this.open());
    try {
      const result = await session.withTransaction(work, {
        readConcern: { level: 'snapshot' },
        writeConcern: { w: 'majority', journal: true },
        readPreference: 'primary',
      });
      this.free.unshift(session);
      return result;
    } catch (error) {
      // If the commit got no answer, the server may keep the transaction open, until the session begins another. So this one is taken next.
      this.free.push(session);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.beating;
    await Promise.all(this.sessions.map((session) => session.endSession()));
    if (this.sessions.length > 0) await this.writers.deleteOne({ _id: this.id }).catch(() => undefined);
  }

  /** Publishes the session to the other writers before anything is written in it. */
  private async open(): Promise<ClientSession> {
    const session = this.client.startSession();
    this.sessions.push(session);
    await this.beat();
    this.beating ??= this.keepBeating();
    return session;
  }

  private async keepBeating(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      await delay(this.beatMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.beat();
        await this.look();
      } catch {
        // It is retried with the next beat. On a server without `killSessions`, the transaction ends after a minute.
      }
    }
  }

  /** The whole document each time, because another process may have removed it. */
  private async beat(): Promise<void> {
    const sessions = this.sessions.map(({ id }) => id!.id);
    await this.writers.replaceOne({ _id: this.id }, { beat: randomUUID(), sessions }, { upsert: true });
  }

  private async look(): Promise<void> {
    const seen = new Map<string, Seen>();
    for (const { _id, beat, sessions } of await this.writers.find({ _id: { $ne: this.id } }).toArray()) {
      const before = this.seen.get(_id);
      const looks = before?.beat === beat ? before.looks + 1 : 1;
      if (looks <= SILENT_LOOKS) {
        seen.set(_id, { beat, looks });
        continue;
      }
      await this.db.command({ killSessions: sessions.map((id) => ({ id })) });
      await this.writers.deleteOne({ _id, beat });
    }
    this.seen = seen;
  }
}
