import { Instant } from '@parlance/decider';
import { type Commit, idInStream, type StoredEvent } from '@parlance/event-store';
import type { DataOf, PublicEvent } from '@parlance/contracts';
import { type CloudEvent, type Outgoing, topicOf } from '@parlance/messaging';

/** The public event of a private event. */
export interface PublicEventContent {
  readonly type: string;
  readonly data: object;
}

export function say<E extends PublicEvent>(event: E, data: DataOf<E>): PublicEventContent {
  return { type: event.type, data };
}

/**
 * Makes a service's map from private to public events. An event stays private if it has no entry or its entry returns null.
 */
export function publishing<Event extends StoredEvent>(
  service: string,
  entries: {
    readonly [Type in Event['type']]?: (event: Extract<Event, { type: Type }>, id: string, commit: Commit) => PublicEventContent | null;
  },
): (commit: Commit) => readonly Outgoing[] {
  return (commit) =>
    commit.events.flatMap(({ id, event }, index) => {
      const content = entries[event.type as Event['type']]?.(event as never, idInStream(commit.stream), commit);
      return content ? [{ topic: topicOf(content.type), key: commit.stream, event: envelope(service, commit, id, index, content) }] : [];
    });
}

function envelope(service: string, commit: Commit, id: string, index: number, content: PublicEventContent): CloudEvent {
  const { metadata } = commit;
  return {
    specversion: '1.0',
    id,
    source: `/${service}`,
    type: content.type,
    subject: commit.stream,
    time: Instant.toString(metadata.at),
    datacontenttype: 'application/json',
    sequence: `${commit.position}.${index}`,
    ...(metadata.actor && { actor: metadata.actor }),
    ...(metadata.token !== undefined && { actortoken: metadata.token }),
    ...(metadata.ip && { actorip: metadata.ip }),
    ...(metadata.userAgent && { actoragent: metadata.userAgent }),
    requestid: metadata.requestId,
    correlationid: metadata.correlationId,
    ...(metadata.causationId && { causationid: metadata.causationId }),
    ...(metadata.traceparent && { traceparent: metadata.traceparent }),
    data: content.data,
  };
}
