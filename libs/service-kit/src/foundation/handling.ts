import type { Delivery } from '@parlance/messaging';
import { RequestContext } from '../observing/request-context.ts';
import type { Tracing } from '../observing/tracing.ts';

/** Surrounds the handling of a delivery with the context of the request that it goes back to, and with a span below it. */
export function handlingOf(tracing: Tracing): (delivery: Delivery, next: () => Promise<void>) => Promise<void> {
  return (delivery, next) =>
    RequestContext.run(RequestContext.following(delivery.event), () =>
      tracing.inSpan(`handle ${delivery.event.type}`, { kind: 'consumer', attributes: { attempt: delivery.attempt } }, next),
    );
}
