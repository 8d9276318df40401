import { type Delivery, NotNow } from '@parlance/messaging';
import { RequestContext, type Tracing } from '@parlance/observability';
import { isTransient } from '@parlance/http';

/**
 * Handles a delivery in the context of the request that caused the event, with a span. Transient failures are reported to the broker as
 * `NotNow`, so that the delivery is retried until an outage ends.
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
