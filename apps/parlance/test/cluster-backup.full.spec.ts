import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { loadConfig } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { openMongoEventStore } from '@parlance/event-store/mongo';
import { MongoInstallation } from '@parlance/installation/mongo-installation';
import { databasesOf, type MongoDatabases } from '@parlance/installation/mongo-databases';
import { openS3ObjectStore } from '@parlance/object-store/s3';
import { bucketIn, database, type Database, kafka, type KafkaBroker, missing, type ObjectStore, patience, s3 } from '@parlance/testing';
import { acceptLoss } from '../src/accept-loss.ts';
import { backup } from '../src/backup/backup.ts';
import { restore } from '../src/backup/restore.ts';
import { verify } from '../src/verify/verify.ts';

const LONGEST = patience(120_000);
const lacking = missing('kafka') ?? missing('mongo') ?? missing('s3');
const metadata = {
  at: Instant.ofMillis(Date.now()),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'r',
  causationId: null,
};

(lacking === null ? describe : describe.skip)('backups of a cluster', () => {
  let [db, server, files]: [Database?, KafkaBroker?, ObjectStore?] = [];
  let databases: MongoDatabases;
  let directory: string;
  let backups = 0;
  let bucket: Awaited<ReturnType<typeof bucketIn>>;
  beforeAll(async () => {
    [db, server, files] = await Promise.all([database({ isOwn: true }), kafka({ isOwn: true }), s3()]);
    bucket = await bucketIn(files, 'parlance');
    databases = await databasesOf(db.uri, 'spec');
    directory = await mkdtemp(join(tmpdir(), 'parlance-backups-'));
  }, LONGEST);
  afterAll(async () => {
    await databases?.client.close();
    await Promise.all([db?.stop(), server?.stop(), files?.stop()]);
    await rm(directory, { recursive: true, force: true });
  });
  let said: string;
  beforeEach(() => {
    said = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
  });

  const configuredWith = (more: object = {}) => {
    const env = {
      PARLANCE_MONGO_URI: db!.uri,
      PARLANCE_KAFKA_BROKERS: server!.brokers.join(','),
      PARLANCE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      PARLANCE_OBJECT_STORE: JSON.stringify(bucket),
      PARLANCE_LOG_LEVEL: 'fatal',
      ...more,
    };
    return loadConfig({ argv: [], env, cwd: tmpdir() });
  };
  const objects = () => openS3ObjectStore({ ...bucket, edge: { baseUrl: '', secret: new Uint8Array(32) } });
  /** Appends to the log of bots, as a running service does. `schema` is of a newer release than this code. */
  const append = async (stream: string, at = metadata.at, service = 'bots', event: { readonly type: string } = { type: 'Happened' }) => {
    const own = databases.of(service);
    const store = await openMongoEventStore(own);
    const installation = await MongoInstallation.open({ shared: databases.shared, own }, service, store);
    await store.append({ stream, expected: 0, events: [event], metadata: { ...metadata, at } });
    await store.positionOf(stream, 1);
    await installation.close();
    await store.close();
  };
  const streams = async () =>
    (await databases.of('bots').collection('commits').find().sort({ position: 1 }).toArray()).map((each) => each['stream']);
  const taken = async (config = configuredWith(), ...options: readonly string[]) => {
    const target = join(directory, String(++backups));
    await backup(config, [target, ...options]);
    return target;
  };

  it(
    'are restored after everything was removed, and become another installation',
    async () => {
      await append('first');
      const store = objects();
      await store.put('drill/kept', Buffer.from('content'), { contentType: 'text/plain' });
      const target = await taken();
      await verify(configuredWith(), [target]);
      expect(said).toMatch(/bots\s+1 commits, whole/);
      await append('second');
      await store.remove('drill/kept');
      const stamp = await databases.shared.collection('installation').findOne();
      await expect(restore(configuredWith(), [target])).rejects.toThrow('the databases are not empty: give --replace');
      expect(await streams()).toEqual(['first', 'second']);
      await restore(configuredWith(), [target, '--replace']);
      expect(said).toContain('Lost          everything since then: 1 commits of bots');
      expect(await streams()).toEqual(['first']);
      expect(await databases.of('bots').collection('relay_checkpoints').findOne()).toMatchObject({ position: 0 });
      expect(await store.stat('drill/kept')).toMatchObject({ contentType: 'text/plain', size: 7 });
      expect((await databases.shared.collection('installation').findOne())?.['installation']).not.toBe(stamp?.['installation']);
      await append('third');
      expect(await streams()).toEqual(['first', 'third']);
      await store.close();
    },
    LONGEST,
  );

  it(
    'are restored with relays that publish what they had not sent for longer than topics keep events',
    async () => {
      const days = (count: number) => Instant.plus(metadata.at, -count * 24 * 3_600_000);
      const checkpoints = databases.of('publication').collection('relay_checkpoints');
      for (const age of [20, 16, 0]) await append(`${age} days old`, days(age), 'publication');
      await checkpoints.updateOne({}, { $set: { position: 1 } });
      const target = await taken();
      await verify(configuredWith(), [target]);
      expect(said).toContain(
        'publication: 1 commits are older than topicRetentionDays and not sent to Kafka: the services publish them after a restore',
      );
      await restore(configuredWith(), [target, '--replace']);
      expect(said).toContain('They also publish what they had never sent to Kafka: 1 commits of publication');
      expect(await checkpoints.findOne()).toMatchObject({ position: 1 });
    },
    LONGEST,
  );

  it(
    'are not made of a bucket that lacks objects that events name, unless this is accepted',
    async () => {
      const event = { type: 'MessageSubmitted', userId: 'ann', files: [{ id: 'm.0' }] };
      await append('conversation-c', metadata.at, 'inference', event);
      const sentence = '1 object that the events name is missing (message-files/c/m.0)';
      const store = objects();
      await store.put('message-files/c/m.0', Buffer.from('content'), { contentType: 'text/plain' });
      await store.close();
      const whole = await taken();
      await verify(configuredWith(), [whole]);
      expect(said).toMatch(/^objects +2, with all that the events name$/m);
      const emptied = await bucketIn(files!, 'emptied');
      const mistaken = configuredWith({ PARLANCE_OBJECT_STORE: JSON.stringify(emptied) });
      await expect(taken(mistaken)).rejects.toThrow(
        `${sentence}: check that objectStore names the bucket of this installation (now ${emptied.bucket})`,
      );
      await expect(verify(configuredWith(), [join(directory, String(backups))])).rejects.toThrow('holds no whole backup');
      said = '';
      const accepted = await taken(mistaken, '--accept-missing-objects');
      expect(said).toContain(`objects       0\nMissing       ${sentence}, which was accepted\n`);
      await verify(configuredWith(), [accepted]);
      expect(said).toContain(`${sentence}, as was known when the backup was made`);
      // As earlier releases wrote it.
      const manifest = JSON.parse(await readFile(join(accepted, 'backup.json'), 'utf8')) as object;
      await writeFile(join(accepted, 'backup.json'), JSON.stringify({ ...manifest, missingObjects: undefined }));
      await expect(verify(configuredWith(), [accepted])).rejects.toThrow('1 problem found');
      expect(said).toContain(`${sentence}: the backup was made of another or emptied object store (objectStore)`);
    },
    LONGEST,
  );

  it(
    'are refused if they are damaged, incomplete, of one process or under another master key',
    async () => {
      const target = await taken();
      const restoring = (config = configuredWith(), from = target) => restore(config, [from, '--replace']);
      await expect(restoring(configuredWith({ PARLANCE_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') }))).rejects.toThrow(
        'the backup was made under another master key',
      );
      await expect(restoring(configuredWith({ PARLANCE_MONGO_URI: undefined, PARLANCE_KAFKA_BROKERS: undefined }))).rejects.toThrow(
        'has the backup of a cluster',
      );
      await appendFile(join(target, 'bots.bson'), 'x');
      await expect(restoring()).rejects.toThrow(/bots.bson has \d+ bytes, not \d+/);
      await expect(verify(configuredWith(), [target])).rejects.toThrow('problems found');
      expect(said).toContain('the file ends within a document');
      await rm(join(target, 'backup.json'));
      await expect(restoring()).rejects.toThrow('holds no whole backup');
      await writeFile(join(target, 'backup.json'), JSON.stringify({ format: 2 }));
      await expect(restoring()).rejects.toThrow('has the backup of one process');
      expect(await streams()).toContain('first');
    },
    LONGEST,
  );

  it(
    'leave a cluster that does not start if a restore is interrupted',
    async () => {
      const target = await taken();
      const broken = configuredWith({ PARLANCE_OBJECT_STORE: JSON.stringify({ ...bucket, endpoint: 'http://127.0.0.1:9' }) });
      await expect(restore(broken, [target, '--replace'])).rejects.toThrow();
      const unfinished = /^a restore was begun at \S+ and has not finished: .*run the same restore again/;
      for (const service of ['bots', 'identity']) await expect(append('too early', metadata.at, service)).rejects.toThrow(unfinished);
      await expect(acceptLoss(configuredWith(), ['bots'])).rejects.toThrow(unfinished);
      await expect(taken()).rejects.toThrow(unfinished);
      await restore(configuredWith(), [target, '--replace']);
      await append('later');
      expect(await streams()).toContain('later');
    },
    LONGEST,
  );
});
