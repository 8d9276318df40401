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
 * a minute, which blocks the progress record that the next batch must update. So a process whose own transaction takes long, and that sees no beat of
 * another process, ends that process's sessions. If the other process was only slow, the server makes it repeat the transaction. A process sends beats
 * while it has a transaction; if the others meanwhile forgot an idle one, its next beat shows it to them again. No clocks are compared.
 */
export class MongoWriters {
  private readonly id = randomUUID();
  private readonly writers: Collection<WriterDocument>;
  private readonly sessions: ClientSession[] = [];
  private readonly free: ClientSession[] = [];
  private readonly stopping = new AbortController();
  private beating: Promise<void> | undefined;
  private active = 0;
  private activeAt = -Infinity;
  private beatAt = -Infinity;
  private seen: ReadonlyMap<string, Seen> = new Map();

  constructor(
    private readonly client: MongoClient,
    private readonly db: Db,
    private readonly beatMs = BEAT_MS,
  ) {
    this.writers = db.collection('read_model_writers');
  }

  /** Runs in one transaction. Runs again if the server requests it: after conflicts, elections or lost answers. */
  transact<Result>(work: (session: ClientSession) => Promise<Result>): Promise<Result> {
    return this.watching(async () => {
      const session = this.free.pop() ?? this.open();
      try {
        // The other processes may have forgotten this one, or never known the session.
        if (performance.now() - this.beatAt > this.beatMs) await this.beat();
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
    });
  }

  /** Runs a write that the transaction of a crashed process may block. */
  async watching<Result>(work: () => Promise<Result>): Promise<Result> {
    this.active += 1;
    this.beating ??= this.keepBeating();
    try {
      return await work();
    } finally {
      this.active -= 1;
      this.activeAt = performance.now();
    }
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.beating;
    await Promise.all(this.sessions.map((session) => session.endSession()));
    if (this.sessions.length > 0) await this.writers.deleteOne({ _id: this.id }).catch(() => undefined);
  }

  /** The session is published to the other writers by the next beat, before anything is written in it. */
  private open(): ClientSession {
    const session = this.client.startSession();
    this.sessions.push(session);
    this.beatAt = -Infinity;
    return session;
  }

  /** Ends after a pause without writes. */
  private async keepBeating(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      await delay(this.beatMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted || (this.active === 0 && performance.now() - this.activeAt > this.beatMs)) {
        this.beating = undefined;
        this.seen = new Map();
        return;
      }
      try {
        await this.beat();
        await this.look();
      } catch {
        // It is retried with the next beat. On a server without `killSessions`, the transaction ends after a minute.
      }
    }
  }

  /** The whole document each time, because another process may have removed it. A process without sessions blocks no other. */
  private async beat(): Promise<void> {
    if (this.sessions.length === 0) return;
    const sessions = this.sessions.map(({ id }) => id!.id);
    const begunAt = performance.now();
    await this.writers.replaceOne({ _id: this.id }, { beat: randomUUID(), sessions }, { upsert: true });
    this.beatAt = begunAt;
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
      // An empty list would end all sessions of the user. Earlier releases wrote such documents.
      if (sessions.length > 0) await this.db.command({ killSessions: sessions.map((id) => ({ id })) });
      await this.writers.deleteOne({ _id, beat });
    }
    this.seen = seen;
  }
}
