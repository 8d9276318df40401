import { Instant } from '@parlance/decider';
import { type Commit, idInStream, type StoredEvent } from '@parlance/event-store';
import type { DataOf, PublicEvent } from '@parlance/contracts';
import { type CloudEvent, type Outgoing, topicOf } from '@parlance/messaging';

/** The public event of a private event. */
export interface Said {
  readonly type: string;
  readonly data: object;
}

export function say<E extends PublicEvent>(event: E, data: DataOf<E>): Said {
  return { type: event.type, data };
}

/**
 * Makes a service's map from private to public events. An event without an entry, or whose entry answers null, stays private.
 */
export function publishing<Event extends StoredEvent>(
  service: string,
  says: { readonly [Type in Event['type']]?: (event: Extract<Event, { type: Type }>, id: string, commit: Commit) => Said | null },
): (commit: Commit) => readonly Outgoing[] {
  return (commit) =>
    commit.events.flatMap(({ id, event }, index) => {
      const said = says[event.type as Event['type']]?.(event as never, idInStream(commit.stream), commit);
      return said ? [{ topic: topicOf(said.type), key: commit.stream, event: envelope(service, commit, id, index, said) }] : [];
    });
}

function envelope(service: string, commit: Commit, id: string, index: number, said: Said): CloudEvent {
  const { metadata } = commit;
  return {
    specversion: '1.0',
    id,
    source: `/${service}`,
    type: said.type,
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
    data: said.data,
  };
}
