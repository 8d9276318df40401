import { type Admin, AssignerProtocol, type GroupDescription, type MemberDescription } from 'kafkajs';
import { NotDrained } from '../broker.ts';
import { whenReady } from './errors.ts';

/** The kind of groups whose members say which topics they read. Kafka Connect has groups of another kind. */
const CONSUMER = 'consumer';

/**
 * Adds partitions. Keys then move to other partitions, which are read side by side with the earlier ones. So every group must have read everything
 * before, and none may be running. Groups that read the logs again after this, by `isRebuilt`, may have unread events.
 */
export async function raisePartitions(admin: Admin, names: readonly string[], count: number, isRebuilt: (group: string) => boolean) {
  const there = await admin.listTopics();
  const topics = names.filter((name) => there.includes(name));
  // Without names, kafkajs answers for all topics of the cluster.
  if (topics.length === 0) return;
  const { topics: before } = await whenReady(() => admin.fetchTopicMetadata({ topics }));
  const larger = before.find(({ partitions }) => partitions.length > count);
  if (larger) throw new RangeError(`${larger.name} has ${larger.partitions.length} partitions, and Kafka cannot remove partitions`);
  await requireDrained(admin, topics, isRebuilt);
  const topicPartitions = before.filter(({ partitions }) => partitions.length < count).map(({ name: topic }) => ({ topic, count }));
  if (topicPartitions.length === 0) return;
  await admin.createPartitions({ topicPartitions });
  // A publisher that saw the earlier number would choose partitions by it until its next look.
  await whenReady(async () => {
    const { topics: after } = await admin.fetchTopicMetadata({ topics });
    if (after.some(({ partitions }) => partitions.length < count))
      throw Object.assign(new Error('the brokers do not know all partitions yet'), { type: 'LEADER_NOT_AVAILABLE' });
  });
}

async function requireDrained(admin: Admin, topics: string[], isRebuilt: (group: string) => boolean): Promise<void> {
  const groups = await whenReady(() => describedGroups(admin));
  const running = groups.find(
    ({ protocolType, members }) => protocolType === CONSUMER && members.some((member) => isReading(member, topics)),
  );
  if (running) throw new NotDrained(`the group ${running.groupId} is running: stop it first`);
  for (const { groupId } of groups) {
    if (isRebuilt(groupId)) continue;
    for (const { topic, partitions } of await whenReady(() => admin.fetchOffsets({ groupId, topics }))) {
      if (partitions.every(({ offset }) => offset === '-1')) continue;
      const next = new Map(partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
      const ends = await admin.fetchTopicOffsets(topic);
      const unread = ends.filter(({ partition, low, high }) => {
        const place = next.get(partition) ?? -1n;
        return BigInt(high) > (place < 0n ? BigInt(low) : place);
      });
      if (unread.length > 0)
        throw new NotDrained(
          `the group ${groupId} has unread events in ${topic}: start it until it has read them, or delete it if it is no longer used`,
        );
    }
  }
}

/** Kafka says what the members of a group read once they have agreed on their partitions. */
export async function describedGroups(admin: Admin): Promise<readonly GroupDescription[]> {
  const { groups: listed } = await admin.listGroups();
  const { groups } = await admin.describeGroups(listed.map(({ groupId }) => groupId));
  const changing = groups.find(({ protocolType, members }) => protocolType === CONSUMER && members.some(saysNothing));
  if (changing)
    throw Object.assign(new NotDrained(`the members of the group ${changing.groupId} change`), { type: 'GROUP_LOAD_IN_PROGRESS' });
  return groups;
}

const saysNothing = ({ memberMetadata }: MemberDescription): boolean => memberMetadata.length === 0;

function isReading({ memberMetadata }: MemberDescription, topics: readonly string[]): boolean {
  const subscribed = AssignerProtocol.MemberMetadata.decode(memberMetadata)?.topics ?? [];
  return subscribed.some((topic) => topics.includes(topic));
}
