import { type Delivery, NotNow, type Report } from '@parlance/messaging';
import { RequestContext, type Tracing } from '@parlance/observability';
import { isTransient } from '@parlance/http';

/**
 * Handles a delivery in the context of the request that caused the event, with a span. Transient failures are reported to the broker as
 * `NotNow`, so that the delivery is retried until an outage ends. Each of these is passed to `onWait`.
 */
export function handlingOf(tracing: Tracing, onWait: Report): (delivery: Delivery, next: () => Promise<void>) => Promise<void> {
  return async (delivery, next) => {
    const span = { kind: 'consumer', attributes: { attempt: delivery.attempt } } as const;
    try {
      await RequestContext.run(RequestContext.following(delivery.event), () => tracing.inSpan(`handle ${delivery.event.type}`, span, next));
    } catch (error) {
      if (!isTransient(error)) throw error;
      const { type, id } = delivery.event;
      onWait('an event waits until a dependency is available', { event: type, id, attempt: delivery.attempt, err: error });
      throw new NotNow(error);
    }
  };
}
