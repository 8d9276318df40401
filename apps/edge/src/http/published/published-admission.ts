import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type Admitted, ApiLimits, type Throttled } from './api-limits.ts';
import type { PublishedCall } from './published-access.ts';

const FORBIDDEN = 403;

type Answer = Admitted | Throttled | Promise<Admitted | Throttled>;

/** Asks a key's limits once for each request, on the fast path or in the hooks. */
@Injectable()
export class PublishedAdmission {
  /** The answers of the limits to requests that the fast path left to the hooks. */
  private readonly begun = new WeakMap<IncomingMessage, Answer>();

  constructor(private readonly limits: ApiLimits) {}

  /** The admission, if available without waiting. If null, await `of` for the answer. */
  atOnce(req: IncomingMessage, call: PublishedCall): Admitted | null {
    const answer = this.ask(call);
    if (!(answer instanceof Promise) && answer.refusal === null) return answer;
    this.begun.set(req, answer);
    // A failure is reported by `of`. Until then it must not be an unhandled rejection.
    if (answer instanceof Promise) answer.catch(() => undefined);
    return null;
  }

  /** Rejects with `unavailable` if the publication service does not answer. */
  of(req: IncomingMessage, call: PublishedCall): Answer {
    const before = this.begun.get(req);
    this.begun.delete(req);
    return before ?? this.ask(call);
  }

  /** Must be called for a request that is refused before it calls `of`. Returns what the limits granted to it. */
  abandon(req: IncomingMessage): void {
    const before = this.begun.get(req);
    this.begun.delete(req);
    if (!(before instanceof Promise)) return;
    before.then((answer) => answer.refusal === null && answer.ended(FORBIDDEN, false)).catch(() => undefined);
  }

  private ask({ api: { apiId, botId, throttle, quota }, key: { keyId } }: PublishedCall): Answer {
    try {
      return this.limits.admit({ keyId, apiId, botId, throttle, quota });
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }
}
