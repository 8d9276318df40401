import type { Admin } from 'kafkajs';
import { NotDrained } from '../broker.ts';
import { whenReady } from './errors.ts';
import { describedGroups } from './raise-partitions.ts';

/** Selects the topics and groups of one installation by their names on Kafka. */
export interface Owned {
  isTopic(name: string): boolean;
  isGroup(name: string): boolean;
}

/** Rejects with `NotDrained` while a group is running. */
export async function requireStopped(admin: Admin, { isGroup }: Owned): Promise<void> {
  const groups = await whenReady(() => describedGroups(admin));
  const running = groups.find(({ groupId, members }) => isGroup(groupId) && members.length > 0);
  if (running) throw new NotDrained(`the group ${running.groupId} is running: stop it first`);
}

/** Removes topics with their events, and groups with their positions. No group may be running. */
export async function removeAll(admin: Admin, { isTopic, isGroup }: Owned): Promise<void> {
  const groups = (await admin.listGroups()).groups.map(({ groupId }) => groupId).filter(isGroup);
  if (groups.length > 0) await whenReady(() => admin.deleteGroups(groups));
  const topics = (await admin.listTopics()).filter(isTopic);
  if (topics.length === 0) return;
  await admin.deleteTopics({ topics });
  // A topic that is being removed would make the creation of its successor fail.
  await whenReady(async () => {
    const left = (await admin.listTopics()).find(isTopic);
    if (left !== undefined) throw Object.assign(new Error(`Kafka still has the topic ${left}`), { type: 'LEADER_NOT_AVAILABLE' });
  });
}
