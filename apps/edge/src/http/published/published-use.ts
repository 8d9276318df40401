import type { ServerResponse } from 'node:http';
import { keepBlockLater } from '@parlance/http';
import { limitHeaders } from './answer-headers.ts';
import type { Admitted } from './api-limits.ts';
import type { RecentRequest } from './recent-requests.ts';

/** The status that proxies log when the client left before its answer. */
const CLIENT_GONE = 499;
const OK = 200;

/** Reports to the limits how an admitted request ended, when its answer is over or its client has left. */
export class PublishedUse {
  /** True: the request may have had an effect. */
  hasReachedService = false;
  /** The first request, which this one may repeat. All repeats together are one use of the quota. */
  question: RecentRequest | null = null;
  /** True: this request has taken nothing from the quota, because the request that it repeats has. */
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

  /** Sets the rate limit headers as they are after this answer, including the use of the quota that its status returns. */
  setLimitHeaders(): void {
    keepBlockLater(this.res, (status) => limitHeaders(this.admitted.headersAfter(status, this.mayBeUse)));
  }

  private get mayBeUse(): boolean {
    return this.hasReachedService && !this.isPaidByQuestion && this.question?.isCounted !== true;
  }

  /** The status to report. A client that leaves while the service works does not get its quota back, so the request counts as answered. */
  private statusOf({ headersSent, statusCode }: ServerResponse): number {
    if (headersSent) return statusCode;
    return this.hasReachedService ? OK : CLIENT_GONE;
  }
}
