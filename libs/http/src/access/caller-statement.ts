import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Instant } from '@parlance/decider';
import type { CalledApi, CallTerms } from '@parlance/observability';
import { Hmac } from './hmac.ts';

/** The header that carries a statement. A client's own header of this name is dropped at the edge. */
export const STATEMENT_HEADER = 'x-parlance-caller';
/** In a request: the edge continues a stream that breaks off. In the answer: the path at which it gets the rest. */
export const CONTINUES_HEADER = 'x-parlance-continues';
export const CONTINUE_AT_HEADER = 'x-parlance-continue-at';

/** The caller of a request, and facts that only the edge knows. Names are short because every request carries a statement. */
export interface CallerStatement {
  /** User ID, or the name of a service that acts on its own behalf; null for an anonymous caller. */
  readonly sub: string | null;
  readonly email?: string;
  readonly groups: readonly string[];
  readonly sid: string | null;
  /** The ID of the personal access token that the request is made with; absent for a session. */
  readonly tid?: string;
  /** The token's terms for calls of models; absent if it may not call them. */
  readonly terms?: CallTerms;
  readonly kind: 'user' | 'service' | 'system' | 'api' | 'anonymous';
  /** For the kind api, whose `sub` is the owner of the published bot. */
  readonly api?: CalledApi;
  readonly ip: string | null;
  readonly ua: string | null;
  /** Request and correlation id. */
  readonly rid: string;
  readonly cid: string;
  /** The ID for the resource that this request creates, if the edge stores the request under its `Idempotency-Key`. */
  readonly nid?: string;
  /** True for a call between services, which internal routes require; absent when the edge forwards a client's request. */
  readonly call?: true;
}

type Handed = IncomingMessage & { [handed: symbol]: CallerStatement | undefined };

interface Timed extends CallerStatement {
  /** Epoch seconds. */
  readonly iat: number;
  readonly exp: number;
}

const LIFETIME_SECONDS = 60;
/** The greatest difference between the clocks of two machines. */
const SKEW_SECONDS = 30;
const LONGEST = 16_384;

/** How many of its own statements a process caches: more than the number of its concurrent requests. */
const MAX_CACHED = 1024;

/**
 * Signs and verifies caller statements with one key for the whole installation. Each hop signs a new statement, so the short lifetime limits
 * how long a stolen statement can be used, not how long a request may take. An instance caches the statements that it signed, so an edge and
 * services in one process need no verification.
 * Measured: 4 µs to sign, 4 µs to verify, 0.1 µs for a cached statement.
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
    if (this.own.size === MAX_CACHED) this.own.delete(this.own.keys().next().value ?? '');
    this.own.set(text, timed);
    return text;
  }

  /** Passes the statement about a request to a service in the same process. Only this instance can set it. */
  handOver(request: IncomingMessage, statement: CallerStatement): void {
    (request as Handed)[this.handed] = statement;
  }

  /** The statement about a request, from `handOver` or from the header; null in the cases of `verify`. */
  of(request: IncomingMessage, now: Instant): CallerStatement | null {
    const text = request.headers[STATEMENT_HEADER];
    return (request as Handed)[this.handed] ?? this.verify(typeof text === 'string' ? text : undefined, now);
  }

  /** The statement, or null if it is absent, malformed, signed with another key, changed or expired. */
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
    const signature = Buffer.from(text.slice(dot + 1), 'base64url');
    const mac = this.mac.digest(payload);
    if (signature.length !== mac.length || !timingSafeEqual(signature, mac)) return null;
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Timed;
  }
}
