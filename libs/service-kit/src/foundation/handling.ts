import { Refusal } from '@parlance/decider';
import { type Delivery, NotNow } from '@parlance/messaging';
import { NotYetIncluded, OtherVersion } from '@parlance/read-models';
import { WriteFailed } from '@parlance/sqlite';
import { RequestContext } from '../observing/request-context.ts';
import type { Tracing } from '../observing/tracing.ts';

/**
 * Surrounds the handling of a delivery with the context of the request that it goes back to, and with a span below it; and
 * tells the broker which failures are nobody's fault, so that an outage ends without a hand.
 */
export function handlingOf(tracing: Tracing): (delivery: Delivery, next: () => Promise<void>) => Promise<void> {
  return async (delivery, next) => {
    const span = { kind: 'consumer', attributes: { attempt: delivery.attempt } } as const;
    try {
      await RequestContext.run(RequestContext.following(delivery.event), () => tracing.inSpan(`handle ${delivery.event.type}`, span, next));
    } catch (error) {
      throw passes(error) ? new NotNow(error) : error;
    }
  };
}

/** Failures of the database's driver to reach it, which it names alike in all its versions. */
const unreachable = new Set(['MongoNetworkError', 'MongoNetworkTimeoutError', 'MongoServerSelectionError', 'MongoPoolClearedError']);

/** Whether it is something around the handler that failed, and not the handler at the event. */
export function passes(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(passes);
  if (error instanceof Refusal) return error.kind === 'unavailable';
  if (error instanceof WriteFailed || error instanceof NotYetIncluded || error instanceof OtherVersion) return true;
  return error instanceof Error && unreachable.has(error.name);
}
