import { expect, it } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { checkOffsetRetention } from './offset-retention.ts';

async function reportsOf(...minutes: readonly number[]): Promise<unknown[]> {
  const reports: unknown[] = [];
  const admin = {
    describeCluster: async () => ({ brokers: minutes.map((_, nodeId) => ({ nodeId })) }),
    describeConfigs: async () => ({ resources: minutes.map((each) => ({ configEntries: [{ configValue: String(each) }] })) }),
  } as unknown as Admin;
  await checkOffsetRetention(admin, (message, details) => void reports.push([message, details]));
  return reports;
}

it('a cluster with a broker that keeps group offsets for less than four weeks is reported', async () => {
  expect(await reportsOf(40_320, 10_080, 40_320)).toEqual([
    ['Kafka deletes the offsets of inactive groups too early: set offsets.retention.minutes to 40320', { minutes: 10_080 }],
  ]);
  expect(await reportsOf(40_320, 50_000)).toEqual([]);
});
