import { type Moment, type TopicOrigin, positionOf, type PublishedEvents, type Topics } from '../published.ts';
import type { ReadModels } from '../read-models.ts';

/** Enough to read one commit. */
const ONE = { events: 1, bytes: 1 };

export interface ReadTopics {
  readonly models: ReadModels;
  readonly topics: Topics;
  readonly published: PublishedEvents;
  /** The projection that reads the topics, and its consumer group. */
  readonly name: string;
  readonly group: string;
  readonly origins: readonly TopicOrigin[];
}

/**
 * The newest moment up to which the rows of a projection include every event. `newest` is the newest event in the rows; while a partition
 * lags, the answer is older. If the broker cannot be reached, or lags in a partition that the rows do not know, all partitions count as lagging.
 */
export async function completeUpTo({ models, topics, published, name, group, origins }: ReadTopics, newest: Moment): Promise<Moment> {
  const lagging = await topics.lagging(group).then(
    (all) => all.map(({ topic, partition }) => `${topic}/${partition}`),
    () => null,
  );
  const places = await models.lines(name);
  const lines = lagging?.every((line) => places.has(line)) ? lagging : [...places.keys()];
  let [position, oldest] = [newest.position, ''];
  for (const line of lines) {
    const at = positionOf(places.get(line)!);
    if (at < position) [position, oldest] = [at, line];
  }
  if (oldest === '') return newest;
  const { source } = origins.find(({ topic }) => oldest.startsWith(`${topic}/`))!;
  const [event] = (await published.after(source, position - 1, ONE)).events;
  return { position, time: event?.time ?? newest.time };
}
