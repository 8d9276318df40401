import type { ServerResponse } from 'node:http';
import { keepBlockLater } from '@parlance/http';
import { limitHeaders } from './answer-headers.ts';
import type { Admitted } from './api-limits.ts';
import type { RecentRequest } from './recent-requests.ts';

/** As logs of proxies write it: the client has gone before its answer. */
const CLIENT_GONE = 499;
const OK = 200;

/** Tells the limits how a request that they have admitted has ended, when its answer is over or its client has gone. */
export class PublishedUse {
  /** From then on the request may have an effect. */
  hasReachedService = false;
  /** The request that this one is, or repeats. All of them are one use of the quota. */
  question: RecentRequest | null = null;
  /** It has taken nothing from the quota, because its question has. */
  isPaidByQuestion = false;

  constructor(
    private readonly res: ServerResponse,
    private readonly admitted: Admitted,
  ) {
    const end = () => {
      const isUse = admitted.ended(this.statusOf(res), this.mayBeUse);
      if (isUse && this.question) this.question.isCounted = true;
    };
    if (res.destroyed) end();
    else res.on('close', end);
  }

  /** Gives the answer the limits as they are after it: with what its status gives back. */
  tellLimits(): void {
    keepBlockLater(this.res, (status) => limitHeaders(this.admitted.headersAfter(status, this.mayBeUse)));
  }

  private get mayBeUse(): boolean {
    return this.hasReachedService && !this.isPaidByQuestion && this.question?.isCounted !== true;
  }

  /** A client that leaves while the service works does not get its quota back, so it counts as answered. */
  private statusOf({ headersSent, statusCode }: ServerResponse): number {
    if (headersSent) return statusCode;
    return this.hasReachedService ? OK : CLIENT_GONE;
  }
}
