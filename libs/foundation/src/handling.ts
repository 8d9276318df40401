import { type Delivery, NotNow } from '@parlance/messaging';
import { RequestContext, type Tracing } from '@parlance/observability';
import { isTransient } from '@parlance/http';

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
      throw isTransient(error) ? new NotNow(error) : error;
    }
  };
}
