import { Logger } from '@nestjs/common';
import { LEAVING_HEADER } from '@parlance/http';
import { Client, type Pool } from 'undici';

/** A request that every service answers without any work. */
const PATH = '/health/live';
const LIMIT_MILLIS = 700;
/** A missing replica is asked this often until it responds. */
const EVERY_MILLIS = 1_000;
/** An answer this young counts, because many streams may ask. */
const FRESH_MILLIS = 500;
/** An overloaded replica may respond now and then, so its absence is logged at most this often. */
const LOGGED_EVERY_MILLIS = 10_000;

const logger = new Logger('Replicas');

/** Whether a replica responds. A process that is frozen or overloaded still accepts connections. */
export class SignOfLife {
  /** True from an unanswered question until the next answer. */
  isMissing = false;
  /** True from an answer that says that the replica is about to end, until the next answer to a question that does not. */
  isLeaving = false;
  private asking: Promise<boolean> | null = null;
  private isRepeating = false;
  private respondedAt = -Infinity;
  private loggedAt = -Infinity;
  private isLogged = false;

  constructor(
    private readonly address: string,
    private readonly pool: Pool,
  ) {}

  /** Concurrent calls share one question. */
  async isThere(): Promise<boolean> {
    if (performance.now() - this.respondedAt < FRESH_MILLIS) return true;
    return (this.asking ??= this.ask().finally(() => (this.asking = null)));
  }

  private async ask(): Promise<boolean> {
    this.isMissing = !(await this.responds());
    this.respondedAt = this.isMissing ? -Infinity : performance.now();
    this.log();
    if (this.isMissing && !this.isRepeating) this.repeat();
    return !this.isMissing;
  }

  private log(): void {
    if (this.isMissing === this.isLogged || (this.isMissing && performance.now() - this.loggedAt < LOGGED_EVERY_MILLIS)) return;
    this.isLogged = this.isMissing;
    if (!this.isMissing) return logger.log(`The replica at ${this.address} responds again.`);
    this.loggedAt = performance.now();
    logger.warn(`The replica at ${this.address} does not respond within ${LIMIT_MILLIS} ms, so it gets no requests until it does.`);
  }

  private repeat(): void {
    this.isRepeating = true;
    setTimeout(async () => {
      const isOver = this.pool.closed || this.pool.destroyed || (await this.isThere());
      this.isRepeating = false;
      if (!isOver) this.repeat();
    }, EVERY_MILLIS).unref();
  }

  private async responds(): Promise<boolean> {
    // The pool of an address that is no longer used takes no requests, but its last answers may take hours.
    const asked = this.pool.closed ? new Client(new URL(this.address).origin) : this.pool;
    try {
      const { headers, body } = await asked.request({ method: 'GET', path: PATH, signal: AbortSignal.timeout(LIMIT_MILLIS) });
      await body.dump();
      this.isLeaving = headers[LEAVING_HEADER] !== undefined;
      return true;
    } catch {
      return false;
    } finally {
      if (asked !== this.pool) void asked.destroy();
    }
  }
}
