import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Kafka, logLevel, type Message } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { database, kafka, missing, s3, waitFor } from '../index.ts';

const unless = (kind: 'mongo' | 'kafka' | 's3'): typeof describe.skip => (missing(kind) ? describe.skip : describe);

const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function withDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-spec-'));
  try {
    await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

unless('mongo')('the database', () => {
  it('keeps every acknowledged write after a kill, and ends when it is stopped', () =>
    withDirectory(async (directory) => {
      const server = await database({ directory });
      const client = new MongoClient(server.uri, { retryWrites: false });
      const rows = client.db().collection<{ _id: number }>('rows');
      const options = { writeConcern: { w: 'majority', journal: true } } as const;
      let acknowledged = 0;
      const writing = (async () => {
        for (let id = 0; ; id++) {
          await rows.insertOne({ _id: id }, options);
          acknowledged = id + 1;
        }
      })();
      await waitFor(() => acknowledged >= 20, { what: 'twenty writes' });
      await server.kill();
      await expect(writing).rejects.toThrow();
      expect(server.pid).toBeUndefined();

      await server.restart();
      expect(await rows.countDocuments()).toBeGreaterThanOrEqual(acknowledged);
      await client.close();

      const pid = server.pid!;
      await server.stop();
      await server.stop();
      expect(runs(pid)).toBe(false);
      expect(existsSync(join(directory, 'data'))).toBe(true);
    }));
});

unless('kafka')('Kafka', () => {
  it('keeps every acknowledged message after a kill, and removes its temporary files when it is stopped', () =>
    withDirectory(async (directory) => {
      const server = await kafka({ directory });
      const client = new Kafka({ brokers: server.brokers, logLevel: logLevel.NOTHING });
      const admin = client.admin();
      await admin.createTopics({ topics: [{ topic: 'ships', numPartitions: 1 }], waitForLeaders: true });
      const producer = client.producer();
      await producer.connect();
      const messages: Message[] = Array.from({ length: 20 }, (_, n) => ({ value: `ship ${n}` }));
      await producer.send({ topic: 'ships', messages, acks: -1 });
      await Promise.all([producer.disconnect(), admin.disconnect()]);

      await server.kill();
      await server.restart();
      expect(await admin.fetchTopicOffsets('ships')).toMatchObject([{ partition: 0, high: '20' }]);
      await admin.disconnect();
      const pid = server.pid!;
      await server.stop();
      expect(runs(pid)).toBe(false);
    }));
});

unless('s3')('the object store', () => {
  it('answers, and ends when it is stopped', async () => {
    // The shared server of the run must not be stopped. The loader restores the variable after this file.
    delete process.env['S3_ENDPOINT'];
    const store = await s3();
    expect((await fetch(store.endpoint)).ok).toBe(true);
    await store.stop();
    await expect(fetch(store.endpoint)).rejects.toThrow();
    await expect(store.stop()).resolves.toBeUndefined();
  });
});
