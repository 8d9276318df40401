import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { loadConfig } from '@parlance/config';
import { databasesOf, type MongoDatabases } from '@parlance/installation/mongo-databases';
import { KeyNotGranted, loadMasterKey } from '@parlance/privacy';
import { openMongoSubjectKeys } from '@parlance/privacy/mongo';
import { type Database, database, missing } from '@parlance/testing';
import { serviceKeys } from './service-keys.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;

describeMongo('parlance service-keys', () => {
  const value = randomBytes(32).toString('base64');
  const master = loadMasterKey({ value });
  let server: Database;
  let databases: MongoDatabases;
  let directory: string;
  beforeAll(async () => {
    server = await database();
    databases = await databasesOf(server.uri, 'test');
    directory = await mkdtemp(join(tmpdir(), 'parlance-service-keys-'));
    jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await databases.client.close();
    await server.stop();
    await rm(directory, { recursive: true });
  });

  const env = { PARLANCE_MASTER_KEY: value };
  const make = (mongo: object = { PARLANCE_MONGO_URI: server.uri }) =>
    serviceKeys(loadConfig({ argv: [], env: { ...env, ...mongo }, cwd: directory }), [directory]);
  const keyOf = (service: string) => loadMasterKey({ file: join(directory, `${service}.key`) });

  it('gives each service a key that opens its stored keys, which the master key still opens, and no others', async () => {
    const [analytics, identity] = [databases.of('analytics'), databases.of('identity')];
    const webhook = await (await openMongoSubjectKeys(analytics, master)).obtain({ id: 'webhook:1' });
    const user = await (await openMongoSubjectKeys(identity, master)).obtain({ id: 'user:ann' });
    await (await openMongoSubjectKeys(analytics, master)).shred('webhook:2');
    await expect(openMongoSubjectKeys(analytics, loadMasterKey({ value }))).resolves.toBeDefined();
    await make();
    expect((await stat(join(directory, 'analytics.key'))).mode & 0o777).toBe(0o600);
    const opened = await openMongoSubjectKeys(analytics, keyOf('analytics'));
    expect((await opened.find('webhook:1'))?.bytes()).toEqual(webhook.bytes());
    expect(await opened.find('webhook:2')).toBeNull();
    expect((await (await openMongoSubjectKeys(analytics, master)).find('webhook:1'))?.bytes()).toEqual(webhook.bytes());
    expect((await (await openMongoSubjectKeys(identity, keyOf('identity'))).find('user:ann'))?.bytes()).toEqual(user.bytes());
    await expect(openMongoSubjectKeys(identity, keyOf('analytics'))).rejects.toThrow(KeyNotGranted);
  });

  it('writes the same keys again, and adopts what was stored since with the master key', async () => {
    const before = await readFile(join(directory, 'analytics.key'), 'utf8');
    const webhook = await (await openMongoSubjectKeys(databases.of('analytics'), master)).obtain({ id: 'webhook:3' });
    await expect((await openMongoSubjectKeys(databases.of('analytics'), keyOf('analytics'))).find('webhook:3')).rejects.toThrow(
      /run parlance service-keys/,
    );
    await make();
    expect(await readFile(join(directory, 'analytics.key'), 'utf8')).toBe(before);
    const opened = await openMongoSubjectKeys(databases.of('analytics'), keyOf('analytics'));
    expect((await opened.find('webhook:3'))?.bytes()).toEqual(webhook.bytes());
  });

  it('is refused without a cluster, and with the key of a service', async () => {
    await expect(make({})).rejects.toThrow(/only a cluster/);
    const ofService = {
      PARLANCE_MONGO_URI: server.uri,
      PARLANCE_MASTER_KEY: undefined,
      PARLANCE_MASTER_KEY_FILE: join(directory, 'bots.key'),
    };
    await expect(make(ofService)).rejects.toThrow(/made from the master key/);
  });
});
