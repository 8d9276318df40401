import type { Instant } from '@parlance/decider';
import { type Broker, NotNow, topicOf } from '@parlance/messaging';
import { type FollowedTopics, type Following, type PageLimit, type TopicOrigin, PublishedEvents, Topics } from '@parlance/read-models';
import type { ServiceCalls } from '@parlance/calls';
import type { LocalPublishedLogs, PublishedPage } from './published-log.ts';
import { inTime } from '../health/dependency-state.ts';
import { RELEASE } from './release.ts';

/** How long a query waits for the broker, which is asked several times by its client while it is away: for 30 seconds and more. */
export const LAG_WITHIN_MS = 1_000;

/** The topics of other services, for projections of their events. */
export class BrokerTopics extends Topics {
  constructor(private readonly broker: Broker) {
    super();
  }

  originOf(type: string): TopicOrigin {
    const topic = topicOf(type);
    return { topic, source: topic.slice(topic.indexOf('.') + 1) };
  }

  partitions(topic: string): Promise<number> {
    return this.broker.partitions(topic);
  }

  async lagging(group: string) {
    return (await inTime(LAG_WITHIN_MS, this.broker.lag(group))).filter(({ behind }) => behind > 0);
  }

  subscribe({ handle, ...following }: Following): Promise<FollowedTopics> {
    return this.broker.subscribe({
      ...following,
      // A projection sets failing events aside itself. All other errors are retried until they pass.
      handle: (deliveries) =>
        handle(deliveries).catch((error: unknown) => {
          throw new NotNow(error);
        }),
    });
  }
}

/** The public events of other services: from their logs in this process, or through their internal route. */
export class PublishedEventsOfServices extends PublishedEvents {
  constructor(
    private readonly local: LocalPublishedLogs,
    private readonly calls: ServiceCalls,
  ) {
    super();
  }

  /** `mayMissNewest`: the newest events may be left out, because the caller asks again soon. */
  async after(
    source: string,
    position: number,
    { bytes, mayMissNewest }: Pick<PageLimit, 'bytes'> & { readonly mayMissNewest?: true },
  ): Promise<PublishedPage> {
    const log = await this.local.of(source);
    if (log) return log.after(position, [], bytes, mayMissNewest);
    const query = { after: position, bytes, release: RELEASE, may_miss_newest: mayMissNewest };
    return this.calls.get(source, '/internal/published', { query });
  }

  /** The position of the first commit of a service's log that is not older than an instant; after its end if all are older. */
  async positionAt(source: string, at: Instant): Promise<number> {
    const log = await this.local.of(source);
    if (log) return log.positionAt(at);
    const answer = await this.calls.get<{ position: number }>(source, '/internal/published/position', { query: { at } });
    return answer.position;
  }
}
