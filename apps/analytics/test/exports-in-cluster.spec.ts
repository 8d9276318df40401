import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { bucketIn, type Database, database, missing, type ObjectStore, s3, waitFor } from '@parlance/testing';
import request from 'supertest';
import { hourAt } from '../src/domain/export-period.ts';
import { analytics } from '../src/service.ts';
import { ExportedConversations, exportsOf } from './exported-conversations.ts';

const HOUR = 3_600_000;
const at = Date.now() - 5 * HOUR;
const hour = hourAt(Instant.ofMillis(at));
const lacking = missing('mongo') ?? missing('s3');
const suite = lacking ? describe.skip : describe;

suite(`exports with MongoDB and S3${lacking ? ` (skipped: ${lacking})` : ''}`, () => {
  let db: Database;
  let store: ObjectStore;
  let service: ServiceUnderTest;
  let exports: ReturnType<typeof exportsOf>;

  beforeAll(async () => {
    [db, store] = await Promise.all([database(), s3()]);
    service = await serviceUnderTest(analytics, {
      PARLANCE_MONGO_URI: db.uri,
      PARLANCE_OBJECT_STORE: JSON.stringify(await bucketIn(store, 'exports')),
    });
    await new KeysOfUsers().enter(service.host);
    const conversations = new ExportedConversations(service);
    exports = exportsOf(service);
    await conversations.talk(newId(), 'ann', at, 'What is a canary-one?');
    await conversations.talk(newId(), 'ben', at, 'What is a canary-two?');
    await conversations.enter();
    await waitFor(async () => (await exports.get(hour)).body.rows === 2, { what: 'the export' });
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([db?.stop(), store?.stop()]);
  });

  it('are files in the bucket, which the edge locates for an address that it has checked', async () => {
    const { body } = await exports.get(hour);
    const { origin, pathname, searchParams } = new URL(body.url);
    expect([origin, searchParams.get('issued_to')]).toEqual([service.host.config.publicBaseUrl, 'session.session.root']);
    const query = { key: pathname.slice('/files/'.length), file_name: searchParams.get('name') };
    const located = await request(service.server).get('/internal/stored-files/location').query(query).set(service.asService('edge'));
    const answer = await fetch(located.body.url);
    expect(answer.headers.get('content-disposition')).toContain(`conversations-${hour}.parquet`);
    const file = Buffer.from(await answer.arrayBuffer());
    expect([file.length, file.subarray(0, 4).toString()]).toEqual([body.bytes, 'PAR1']);
  });
  it('answer SQL', async () => {
    const sql = "SELECT PK, MessageMap LIKE '%canary%' FROM parlance_conversations ORDER BY PK";
    expect(await exports.rows(sql)).toEqual([
      ['ann', true],
      ['ben', true],
    ]);
  });
  it('lose the content of an erased user', async () => {
    const erased = await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: 'ben' });
    expect(erased.body.removed).toMatchObject({ exported_conversations: 1 });
    expect(await exports.rows("SELECT PK FROM parlance_conversations WHERE MessageMap LIKE '%canary%'")).toEqual([['ann']]);
    expect(await exports.rows("SELECT MessageMap, TotalPrice FROM parlance_conversations WHERE PK = 'ben'")).toEqual([['{}', 0.001]]);
  });
});
