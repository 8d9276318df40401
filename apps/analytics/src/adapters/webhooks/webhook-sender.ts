import { Injectable } from '@nestjs/common';
import { FetchRefused, GuardedFetch } from '@parlance/guarded-fetch';
import type { CloudEvent } from '@parlance/messaging';
import type { Attempt } from '../../domain/delivery.ts';
import { payloadOf } from './event-payload.ts';
import { signatureHeaders } from './webhook-signature.ts';

/** The time limit from the DNS lookup to the headers of the answer. */
export const ANSWER_MILLIS = 15_000;
/** An answer that announces a longer body counts as a failure. The body itself is not used. */
const LONGEST_ANSWER_BYTES = 64 * 1024 * 1024;
const STATUS_SENTENCE = 'The endpoint did not answer with a status from 200 to 299.';

export interface Endpoint {
  readonly url: string;
  readonly secrets: readonly string[];
}

/** Sends events to webhooks. Redirects are not followed. */
@Injectable()
export class WebhookSender {
  constructor(private readonly guarded: GuardedFetch) {}

  /** The result of a request; null if it is unknown because the signal was aborted or the process ends. */
  async send({ url, secrets }: Endpoint, event: CloudEvent, nowMillis: number, signal: AbortSignal): Promise<Attempt | null> {
    const body = JSON.stringify(payloadOf(event));
    const headers = {
      'content-type': 'application/cloudevents+json',
      ...signatureHeaders({ id: event.id, body, timestamp: Math.floor(nowMillis / 1_000) }, secrets),
    };
    const begun = performance.now();
    const millis = () => Math.round(performance.now() - begun);
    try {
      const answer = await this.guarded.fetch(url, {
        method: 'POST',
        headers,
        body,
        maxBytes: LONGEST_ANSWER_BYTES,
        timeoutMillis: ANSWER_MILLIS,
        maxRedirects: 0,
        signal,
      });
      answer.dump();
      const isGood = answer.status >= 200 && answer.status < 300;
      const retryAfterMillis = isGood ? null : retryAfterOf(answer.headers['retry-after'], nowMillis);
      return { status: answer.status, error: isGood ? null : STATUS_SENTENCE, retryAfterMillis, millis: millis() };
    } catch (error) {
      if (signal.aborted || (error instanceof FetchRefused && error.code === 'closed')) return null;
      if (!(error instanceof FetchRefused)) throw error;
      return { status: null, error: error.message, retryAfterMillis: null, millis: millis() };
    }
  }
}

/** Seconds or a date (RFC 9110). Null for anything else. */
export function retryAfterOf(header: string | undefined, nowMillis: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMillis);
}
