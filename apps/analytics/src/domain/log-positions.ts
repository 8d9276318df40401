/**
 * A position in the log of a service: `12` is after the commit with that number, `12.3` after the event with that index in it. A reader may
 * stop between the events of a commit.
 */
export type LogPosition = string;

/** A position for each service that publishes events. */
export type LogPositions = Readonly<Record<string, LogPosition>>;

const parts = (text: LogPosition): [position: number, index: number] => {
  const [position, index] = text.split('.').map(Number) as [number, number?];
  return [position, index ?? Number.POSITIVE_INFINITY];
};

/** The commit after which the log must be read to get all events after a position. */
export function readAfter(logPosition: LogPosition): number {
  const [position, index] = parts(logPosition);
  return index === Number.POSITIVE_INFINITY ? position : position - 1;
}

export function isAfter(one: LogPosition, other: LogPosition): boolean {
  const [position, index] = parts(one);
  const [otherPosition, otherIndex] = parts(other);
  return position > otherPosition || (position === otherPosition && index > otherIndex);
}

export const earlierOf = (one: LogPosition, other: LogPosition): LogPosition => (isAfter(one, other) ? other : one);

const ID = /^\d{1,15}(?:\.\d{1,6})?(?:_\d{1,15}(?:\.\d{1,6})?)*$/;

/** The ID of an event in a stream that merges these services' events: the position in each log after the event. */
export const idOfPositions = (services: readonly string[], positions: LogPositions): string =>
  services.map((service) => positions[service] ?? '0').join('_');

/** Null for a text that is not such an ID. */
export function positionsOfId(services: readonly string[], id: string): LogPositions | null {
  const all = id.split('_');
  if (!ID.test(id) || all.length !== services.length) return null;
  return Object.fromEntries(services.map((service, index) => [service, all[index]!]));
}
