import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Instant } from '@parlance/decider';
import { Hmac } from './hmac.ts';

/** The header that carries a statement. A client's own header of this name is dropped at the edge. */
export const STATEMENT_HEADER = 'x-parlance-caller';

/** Who a request is made for, and what only the edge could see of it. Names are short: it travels with every request. */
export interface CallerStatement {
  /** User id, or the name of the service that acts by itself; null for an anonymous caller. */
  readonly sub: string | null;
  readonly email?: string;
  readonly groups: readonly string[];
  readonly sid: string | null;
  readonly kind: 'user' | 'service' | 'system' | 'anonymous';
  readonly ip: string | null;
  readonly ua: string | null;
  /** Request and correlation id. */
  readonly rid: string;
  readonly cid: string;
  /** The id for what this request makes, where the edge remembers the request by its `Idempotency-Key`. */
  readonly nid?: string;
  /** Made by a service that calls another, not by the edge for a client: what internal routes ask for. */
  readonly call?: true;
}

type Handed = IncomingMessage & { [handed: symbol]: CallerStatement | undefined };

interface Timed extends CallerStatement {
  /** Epoch seconds. */
  readonly iat: number;
  readonly exp: number;
}

const LIFETIME_SECONDS = 60;
/** How far the clocks of two machines may stand apart. */
const SKEW_SECONDS = 30;
const LONGEST = 16_384;

/** How many statements of its own a process knows again without opening them: more than are ever on the way at once. */
const REMEMBERED = 1024;

/**
 * Signs and verifies caller statements with one key for the whole installation. A statement is made anew for each hop,
 * so its short life bounds how long a stolen one serves, not how long a request may take. What this very instance has
 * signed it knows again as it stands, which spares the verification where edge and services share a process.
 * Measured: 4 µs to sign, 4 µs to verify, 0.1 µs to know again.
 */
export class CallerStatements {
  private readonly mac: Hmac;
  private readonly own = new Map<string, Timed>();
  private readonly handed = Symbol('statement');

  constructor(key: Uint8Array) {
    this.mac = new Hmac(key);
  }

  sign(statement: CallerStatement, now: Instant): string {
    const iat = Math.floor(now / 1000);
    const timed: Timed = { ...statement, iat, exp: iat + LIFETIME_SECONDS };
    const payload = Buffer.from(JSON.stringify(timed)).toString('base64url');
    const text = `${payload}.${this.mac.digest(payload).toString('base64url')}`;
    if (this.own.size === REMEMBERED) this.own.delete(this.own.keys().next().value ?? '');
    this.own.set(text, timed);
    return text;
  }

  /** Gives a service of the same process the statement about a request as it is: only this instance can put it there. */
  handOver(request: IncomingMessage, statement: CallerStatement): void {
    (request as Handed)[this.handed] = statement;
  }

  /** What is stated about a request, in whichever way; null as `verify` has it. */
  of(request: IncomingMessage, now: Instant): CallerStatement | null {
    const text = request.headers[STATEMENT_HEADER];
    return (request as Handed)[this.handed] ?? this.verify(typeof text === 'string' ? text : undefined, now);
  }

  /** The statement, or null when there is none that holds now: absent, malformed, signed by another, changed or expired. */
  verify(text: string | undefined, now: Instant): CallerStatement | null {
    if (text === undefined || text.length > LONGEST) return null;
    const statement = this.own.get(text) ?? this.open(text);
    if (statement === null) return null;
    const seconds = now / 1000;
    return seconds < statement.exp && statement.iat <= seconds + SKEW_SECONDS ? statement : null;
  }

  private open(text: string): Timed | null {
    const dot = text.indexOf('.');
    if (dot < 0) return null;
    const payload = text.slice(0, dot);
    const given = Buffer.from(text.slice(dot + 1), 'base64url');
    const mac = this.mac.digest(payload);
    if (given.length !== mac.length || !timingSafeEqual(given, mac)) return null;
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Timed;
  }
}
