import { lookup as systemLookup } from 'node:dns/promises';
import { CONNECT_TIMEOUT_MILLIS } from './exchange.ts';
import { FetchRefused } from './fetch-refused.ts';
import type { Lookup, ResolvedAddress } from './guarded-lookup.ts';

/**
 * The operating system resolves names on the four threads of the process that also serve files and password hashing. Unanswered names must not
 * block all of them.
 */
export const LOOKUPS_OF_ALL_CLIENTS = 3;

/** Concurrent lookups of one client. One less than the total, so that one client cannot block the others. */
export const LOOKUPS_AT_ONCE = 2;

interface Waiting {
  readonly client: symbol;
  readonly site: string;
  readonly begin: () => void;
}

/**
 * The running and waiting lookups of this process. A lookup waits while all turns are taken, while its client has used its own turns, and while
 * another name of its site is being resolved. It may overtake lookups that wait for their client or their site.
 */
class Turns {
  private readonly running: Waiting[] = [];
  private readonly queue = new Set<Waiting>();

  /** Rejects with FetchRefused `timeout` if its turn does not come in time. */
  take(client: symbol, site: string): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    // After this time, the connection that needs the address has been given up.
    const giveUp = setTimeout(() => {
      this.queue.delete(waiting);
      reject(new FetchRefused('timeout'));
    }, CONNECT_TIMEOUT_MILLIS).unref();
    const waiting = {
      client,
      site,
      begin: () => {
        clearTimeout(giveUp);
        resolve(() => this.end(waiting));
      },
    };
    this.queue.add(waiting);
    this.advance();
    return promise;
  }

  private end(ended: Waiting): void {
    this.running.splice(this.running.indexOf(ended), 1);
    this.advance();
  }

  private advance(): void {
    for (const waiting of this.queue) {
      if (this.running.length >= LOOKUPS_OF_ALL_CLIENTS) return;
      if (!this.mayBegin(waiting)) continue;
      this.queue.delete(waiting);
      this.running.push(waiting);
      waiting.begin();
    }
  }

  private mayBegin({ client, site }: Waiting): boolean {
    const ofClient = this.running.filter((each) => each.client === client).length;
    return ofClient < LOOKUPS_AT_ONCE && !this.running.some((each) => each.site === site);
  }
}

const turns = new Turns();

/** The operating system's name resolution for one client, with a bound on concurrent calls. */
export function boundedSystemLookup(
  resolve: (hostname: string) => Promise<readonly ResolvedAddress[]> = (hostname) => systemLookup(hostname, { all: true }),
): Lookup {
  const client = Symbol('client');
  return async (hostname) => {
    const end = await turns.take(client, siteOf(hostname));
    try {
      return await resolve(hostname);
    } finally {
      end();
    }
  };
}

/** The last two labels. Sites below a public suffix such as co.uk may wait for each other. */
const siteOf = (hostname: string): string => hostname.toLowerCase().split('.').filter(Boolean).slice(-2).join('.');
