import { IDLE_MILLIS, MOST_SESSIONS } from './limits.ts';
import { isForgotten, type McpServer, McpSession, type SessionParts } from './mcp-session.ts';

interface OpenSession {
  readonly opening: Promise<McpSession>;
  users: number;
  idle: NodeJS.Timeout | null;
}

/** Thrown when a process has reached its limit of sessions and all are in use. */
export class TooManySessions extends Error {
  constructor() {
    super('Too many tools are being called at once.');
    this.name = 'TooManySessions';
  }
}

/** The sessions of a process: one per server and user, because a server may keep state in a session. */
export class McpSessions {
  /** The least recently used first. */
  private readonly held = new Map<string, OpenSession>();

  constructor(
    private readonly parts: SessionParts,
    private readonly openMillis: number,
    private readonly most = MOST_SESSIONS,
    private readonly idleMillis = IDLE_MILLIS,
  ) {}

  /**
   * Runs `work` with the session, and again with a new one if the server no longer knows it. Rejects as `work` and `open` do, or with
   * `TooManySessions`.
   */
  async use<Result>(
    server: McpServer,
    userId: string,
    signal: AbortSignal,
    work: (session: McpSession) => Promise<Result>,
  ): Promise<Result> {
    const key = keyOf(server.name, userId);
    const isKept = this.held.has(key);
    try {
      return await this.once(key, server, userId, signal, work);
    } catch (error) {
      if (!isKept || !isForgotten(error) || signal.aborted) throw error;
      return this.once(key, server, userId, signal, work);
    }
  }

  /** Ends a user's session, after the user has disconnected the server or connected another account. */
  async end(server: string, userId: string): Promise<void> {
    await this.drop(keyOf(server, userId));
  }

  async close(): Promise<void> {
    await Promise.all([...this.held.keys()].map((key) => this.drop(key)));
  }

  get size(): number {
    return this.held.size;
  }

  private async once<Result>(
    key: string,
    server: McpServer,
    userId: string,
    signal: AbortSignal,
    work: (session: McpSession) => Promise<Result>,
  ): Promise<Result> {
    const held = this.take(key, () => McpSession.open(server, userId, this.parts, this.openMillis));
    held.users += 1;
    try {
      const session = await unlessAborted(held.opening, signal);
      const result = await work(session);
      this.release(key, held);
      return result;
    } catch (error) {
      held.users -= 1;
      // The state of the session at the server is unknown.
      if (this.held.get(key) === held && !signal.aborted) await this.drop(key);
      else this.idle(key, held);
      throw error;
    }
  }

  private take(key: string, open: () => Promise<McpSession>): OpenSession {
    const known = this.held.get(key);
    if (known) {
      this.held.delete(key);
      this.held.set(key, known);
      if (known.idle !== null) clearTimeout(known.idle);
      known.idle = null;
      return known;
    }
    if (this.held.size >= this.most) {
      const unused = [...this.held].find(([, { users }]) => users === 0);
      if (!unused) throw new TooManySessions();
      void this.drop(unused[0]);
    }
    const opened: OpenSession = { opening: open(), users: 0, idle: null };
    this.held.set(key, opened);
    // There may be no waiting caller, and the next use must try again.
    opened.opening.catch(() => this.held.get(key) === opened && this.held.delete(key));
    return opened;
  }

  private release(key: string, held: OpenSession): void {
    held.users -= 1;
    this.idle(key, held);
  }

  private idle(key: string, held: OpenSession): void {
    if (held.users > 0 || this.held.get(key) !== held) return;
    if (held.idle !== null) clearTimeout(held.idle);
    held.idle = setTimeout(() => void this.drop(key), this.idleMillis).unref();
  }

  private async drop(key: string): Promise<void> {
    const held = this.held.get(key);
    if (!held) return;
    this.held.delete(key);
    if (held.idle !== null) clearTimeout(held.idle);
    await held.opening.then(
      (session) => session.close(),
      () => {},
    );
  }
}

const keyOf = (server: string, userId: string) => `${server} ${userId}`;

/** Other callers may wait for the same session, so an abort ends only this wait. */
async function unlessAborted<Result>(opening: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([opening, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
