import type { TopicOrigin, Topics } from '../published.ts';

/** The topics of these types of events, each once. */
export function originsOf(topics: Topics, types: readonly string[]): readonly TopicOrigin[] {
  const all = types.map((type) => topics.originOf(type));
  return [...new Map(all.map((origin) => [origin.topic, origin])).values()];
}

/** For every partition, the position in its source's log after which events are read from the topic. */
export async function linesOf(topics: Topics, origins: readonly TopicOrigin[], places: Readonly<Record<string, string>>) {
  const lines: Record<string, string> = {};
  for (const { source, topic } of origins) {
    const partitions = await topics.partitions(topic);
    for (let partition = 0; partition < partitions; partition += 1) lines[`${topic}/${partition}`] = places[source]!;
  }
  return lines;
}

/** Names a topic whose number of partitions has changed since its lines were written; null if there is none. */
export async function repartitioned(topics: Topics, names: readonly string[], lines: readonly string[]): Promise<string | null> {
  for (const topic of names) {
    const known = lines.filter((line) => line.startsWith(`${topic}/`)).length;
    const partitions = await topics.partitions(topic);
    if (known !== partitions) return `topic ${topic} has ${partitions} partitions and had ${known}`;
  }
  return null;
}
