import { Refusal } from '@parlance/decider';
import { every, HOUR, MINUTE, type Schedule, SECOND } from '@parlance/foundation';
import { TokenUses } from './http/authentication/token-uses.ts';
import { AnswerSeals } from './http/idempotency/answer-seals.ts';
import { BorrowedApiLimits } from './http/published/borrowed-api-limits.ts';
import { IDLE_MILLIS } from './http/published/key-account.ts';
import { RecentRequests, REPEATABLE_MILLIS } from './http/published/recent-requests.ts';
import { LearnRoutesFromServices } from './policies/learn-routes-from-services.ts';

/** Ignores that the other service does not answer. The next run reports everything, and the state of the circuit breaker is in the metrics. */
const passOverRefusals = (error: unknown): void => {
  if (!(error instanceof Refusal)) throw error;
};
const reportUses = (uses: TokenUses) => uses.report().catch(passOverRefusals);

export const schedule: Schedule = [
  every(SECOND / 2, 'learn routes', LearnRoutesFromServices, (policy) => policy.learnAgain(), {
    rests: (policy) => policy.hasAll,
  }),
  // Other edges can use what this edge has borrowed and does not need.
  every(IDLE_MILLIS, 'return unused limits of API keys', BorrowedApiLimits, (limits) => limits.settle(), {
    stop: (limits) => limits.stop(),
    rests: (limits) => limits.size === 0,
  }),
  every(SECOND, 'report the usage of API keys', BorrowedApiLimits, ({ usage }) => usage.flushDue().catch(passOverRefusals), {
    rests: ({ usage }) => usage.size === 0,
  }),
  every(REPEATABLE_MILLIS, 'forget requests that no client repeats', RecentRequests, (recent) => recent.forgetOld()),
  // Uses are not reported with each request, so that no request waits for the report.
  every(5 * MINUTE, 'report uses of personal access tokens', TokenUses, reportUses, { stop: reportUses }),
  // An answer to a request with an Idempotency-Key is replayed for a day. After that, its key is destroyed.
  every(HOUR, 'forget answers', AnswerSeals, (seals) => seals.destroyExpired()),
];
