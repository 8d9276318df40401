import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { loadConfig } from '@parlance/config';
import { openKafkaBroker } from '@parlance/messaging/kafka';
import { database, type Database, kafka, type KafkaBroker, missing, patience } from '@parlance/testing';
import { tmpdir } from 'node:os';
import { partitions } from '../src/partitions.ts';

const LONGEST = patience(120_000);
const lacking = missing('kafka') ?? missing('mongo');

(lacking === null ? describe : describe.skip)('parlance partitions in a cluster', () => {
  let db: Database;
  let server: KafkaBroker;
  beforeAll(async () => {
    [db, server] = await Promise.all([database({ isOwn: true }), kafka({ isOwn: true })]);
  }, LONGEST);
  afterAll(() => Promise.all([db?.stop(), server?.stop()]));

  it(
    'raises the topics of the installation, unless a service runs',
    async () => {
      const env = {
        PARLANCE_MONGO_URI: db.uri,
        PARLANCE_KAFKA_BROKERS: server.brokers.join(','),
        PARLANCE_KAFKA_PREFIX: 'acme.',
        PARLANCE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        PARLANCE_OBJECT_STORE: JSON.stringify({ type: 's3', region: 'local', bucket: 'none', endpoint: 'http://127.0.0.1:9' }),
        PARLANCE_LOG_LEVEL: 'fatal',
      };
      const config = loadConfig({ argv: [], env, cwd: tmpdir() });
      const broker = await openKafkaBroker({ brokers: server.brokers, clientId: 'spec', prefix: 'acme.', partitions: 2 });
      const service = await broker.subscribe({ group: 'bots', topics: ['parlance.identity'], handle: async () => undefined });
      await expect(partitions(config, ['5'])).rejects.toThrow('the group acme.bots is running: stop it first; nothing was changed');
      expect(await broker.partitions('parlance.identity')).toBe(2);
      await service.stop();
      const said = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
      await partitions(config, ['5']).finally(() => said.mockRestore());
      expect(await broker.partitions('parlance.identity')).toBe(5);
      await broker.close();
    },
    LONGEST,
  );
});
