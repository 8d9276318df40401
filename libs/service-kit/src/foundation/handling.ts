import { type Delivery, NotNow } from '@parlance/messaging';
import { RequestContext } from '../observing/request-context.ts';
import type { Tracing } from '../observing/tracing.ts';
import { passes } from './passing.ts';

/**
 * Surrounds the handling of a delivery with the context of the request that it goes back to, and with a span below it; and
 * tells the broker which failures are temporary, so that an outage ends without a hand.
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
