import { describe, expect, it } from '@jest/globals';
import type { Admin, ITopicConfig } from 'kafkajs';
import { RETENTION_MS } from '../broker.ts';
import { KafkaTopics, type TopicOptions } from './topics.ts';

/** The settings with which a cluster without topics is asked to create them. */
async function created(options: Partial<TopicOptions>): Promise<Record<string, Record<string, string>>> {
  const made: ITopicConfig[] = [];
  const admin = {
    listTopics: async () => [],
    createTopics: async ({ topics }: { topics: ITopicConfig[] }) => made.push(...topics),
    fetchTopicMetadata: async () => ({ topics: [] }),
    describeConfigs: async () => ({ resources: [] }),
  } as unknown as Admin;
  const topics = new KafkaTopics(admin, {
    partitions: 4,
    replicationFactor: 1,
    minInsyncReplicas: null,
    retentionMs: RETENTION_MS,
    report: () => undefined,
    ...options,
  });
  await topics.ensure(['events']);
  await topics.ensureGroup('group');
  return Object.fromEntries(
    made.map(({ topic, configEntries = [] }) => [topic, Object.fromEntries(configEntries.map(({ name, value }) => [name, value]))]),
  );
}

describe('new topics', () => {
  it.each([
    [{ replicationFactor: 1 }, '1'],
    [{ replicationFactor: 2 }, '1'],
    [{ replicationFactor: 3 }, '2'],
    [{ replicationFactor: 5 }, '2'],
    [{ replicationFactor: 2, minInsyncReplicas: 2 }, '2'],
    [{ replicationFactor: -1 }, undefined],
  ])('with %j state min.insync.replicas %s', async (options, least) => {
    const settings = await created(options);
    expect(Object.keys(settings).toSorted()).toEqual(['events', 'group.dead-letters', 'group.redrive']);
    for (const each of Object.values(settings)) expect(each['min.insync.replicas']).toBe(least);
  });
});

it('get their retention also if one broker does not know a new topic yet', async () => {
  const reports: string[] = [];
  let asked = 0;
  const admin = {
    listTopics: async () => ['events'],
    describeConfigs: async () => {
      if (++asked === 1) throw Object.assign(new Error('elsewhere'), { type: 'UNKNOWN_TOPIC_OR_PARTITION' });
      return { resources: [{ resourceName: 'events', configEntries: [] }] };
    },
    alterConfigs: async () => void asked++,
  } as unknown as Admin;
  const report = (message: string) => void reports.push(message);
  await new KafkaTopics(admin, { partitions: 4, replicationFactor: 3, minInsyncReplicas: null, retentionMs: RETENTION_MS, report }).ensure([
    'events',
  ]);
  expect([asked, reports]).toEqual([3, []]);
});
