import type { Admin } from 'kafkajs';
import { NotDrained } from '../broker.ts';
import { whenReady } from './errors.ts';
import { describedGroups } from './raise-partitions.ts';

/** Selects the topics and groups of one installation by their names on Kafka. */
export interface Owned {
  isTopic(name: string): boolean;
  isGroup(name: string): boolean;
}

/** Removes topics with their events, and groups with their positions. Rejects with `NotDrained`, and removes nothing, while a group is running. */
export async function removeAll(admin: Admin, { isTopic, isGroup }: Owned): Promise<void> {
  const groups = (await whenReady(() => describedGroups(admin))).filter(({ groupId }) => isGroup(groupId));
  const running = groups.find(({ members }) => members.length > 0);
  if (running) throw new NotDrained(`the group ${running.groupId} is running: stop it first`);
  if (groups.length > 0) await admin.deleteGroups(groups.map(({ groupId }) => groupId));
  const topics = (await admin.listTopics()).filter(isTopic);
  if (topics.length === 0) return;
  await admin.deleteTopics({ topics });
  // A topic that is being removed would make the creation of its successor fail.
  await whenReady(async () => {
    const left = (await admin.listTopics()).find(isTopic);
    if (left !== undefined) throw Object.assign(new Error(`Kafka still has the topic ${left}`), { type: 'LEADER_NOT_AVAILABLE' });
  });
}
