import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { newId } from '@parlance/event-store';
import { type ArrivingBody, RequestFingerprints } from '../idempotency/request-fingerprints.ts';
import type { Operation } from '../routing/operation.ts';
import { isOpenAiStyle } from './published-address.ts';
import { EACH, type RecentRequest, RecentRequests, type SentRequest } from './recent-requests.ts';

/** The header in which the SDKs of OpenAI and Anthropic count how often they have sent a request before. */
const RETRY_COUNT = 'x-stainless-retry-count';
const RETRIES = /^[1-9]\d{0,2}$/;

/**
 * Recognises requests that clients of published bots repeat automatically: an SDK marks them, or they have the same `Idempotency-Key`. A
 * repeat has the ID of the first request, so inference answers with the reply to the first one, whether it is complete, in progress or failed.
 */
@Injectable()
export class ClientRepeats {
  constructor(
    private readonly recent: RecentRequests,
    private readonly fingerprints: RequestFingerprints,
  ) {}

  /** The hash of the body of a request that SDKs may repeat. Undefined for all other requests. */
  arriving({ creates }: Operation, below: string): ArrivingBody | undefined {
    return creates && isOpenAiStyle(below) ? this.fingerprints.arrivingUnstored() : undefined;
  }

  /** Whether the request can be a repeat. Its body is not known yet. */
  mayBeOne(req: IncomingMessage, keyId: string): boolean {
    return attemptOf(req) > 0 && this.recent.has(keyId);
  }

  sent(req: IncomingMessage, keyId: string, arrived: ArrivingBody): SentRequest {
    const fingerprint = this.fingerprints.ofBytes(keyId, req.url ?? '', idempotencyKeyOf(req) ?? null, arrived);
    return { keyId, fingerprint, attempt: attemptOf(req) };
  }

  /** Whether the request repeats one that the quota has paid for, or will pay for. True only until the next await. */
  isPaidFor(sent: SentRequest): boolean {
    return this.recent.repeatedBy(sent)?.isUse === true;
  }

  /** Must be called when the request is forwarded. `fixedId`: the ID of the resource that it creates, if its `Idempotency-Key` determines one. */
  enter(sent: SentRequest, fixedId: string | undefined, res: ServerResponse): RecentRequest {
    return this.recent.enter(sent, fixedId ?? newId(), res);
  }
}

const idempotencyKeyOf = ({ headers }: IncomingMessage): string | undefined => headers['idempotency-key'] as string | undefined;

function attemptOf(req: IncomingMessage): number {
  if (idempotencyKeyOf(req) !== undefined) return EACH;
  const count = req.headers[RETRY_COUNT];
  return typeof count === 'string' && RETRIES.test(count) ? Number(count) : 0;
}
