import { buffer } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { dayOfHour, foldersOf, hourAt } from '../src/domain/export-period.ts';
import { analytics } from '../src/service.ts';
import { ExportedConversations, exportsOf } from './exported-conversations.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const table = 'devacme_conversations';

/** Noon of the day before yesterday: its hours and its day are over. */
const noon = Math.floor(Date.now() / DAY) * DAY - 2 * DAY + 12 * HOUR;
const hour = hourAt(Instant.ofMillis(noon));
const day = dayOfHour(hour);

describe('exports of conversations', () => {
  let service: ServiceUnderTest;
  let conversations: ExportedConversations;
  let exports: ReturnType<typeof exportsOf>;
  const [c1, c2, c3] = [newId(), newId(), newId()];
  let reply: string;

  /** Waits until an export was written this many times. */
  const written = (period: string, writes: number) => {
    const isWritten = async () => {
      const { body } = await exports.get(period);
      return body.status === 'written' && body.writes >= writes;
    };
    return waitFor(isWritten, { what: `write ${writes} of ${period}` });
  };
  const bytesOf = async (period: string) => {
    const { body } = await exports.get(period);
    const store = await service.host.objects.store();
    return buffer((await store.get(body.key))!.body);
  };

  beforeAll(async () => {
    service = await serviceUnderTest(analytics, {
      PARLANCE_ENVIRONMENT: 'dev',
      PARLANCE_STACK_PREFIX: 'acme',
      PARLANCE_EXPORT_QUERY_SECONDS: '2',
    });
    await new KeysOfUsers().enter(service.host);
    conversations = new ExportedConversations(service);
    exports = exportsOf(service);
    reply = await conversations.talk(c1, 'ann', noon, 'What is a canary-one?', 1_500_000);
    for (let n = 0; n < 3; n++) await conversations.talk(c1, 'ann', noon + n, `More ${n}`);
    await conversations.talk(c1, 'ann', noon + HOUR, 'An hour later');
    await conversations.talk(c2, 'ben', noon, 'What is a canary-two?');
    await conversations.talk(c3, 'cat', noon, 'What is a canary-three?');
    await conversations.enter();
    for (const period of [hour, hourAt(Instant.ofMillis(noon + HOUR)), day]) await written(period, 1);
  });
  afterAll(() => service.stop());

  it('are files of hours and days', async () => {
    const list = await exports.list();
    expect(list.map((each: { hour: string }) => each.hour)).toEqual(expect.arrayContaining([hour, hourAt(Instant.ofMillis(noon + HOUR))]));
    expect((await exports.get(hour)).body).toMatchObject({
      hour,
      datehour: foldersOf(hour),
      key: `conversations/${foldersOf(hour)}/conversations.parquet`,
      rows: 3,
    });
    expect(await exports.list('day')).toEqual([expect.objectContaining({ hour: day, rows: 4 })]);
    const file = await bytesOf(hour);
    expect([file.subarray(0, 4).toString(), file.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1']);
  });
  it('report the newest event that they include', async () => {
    const { body } = await request(service.server).get('/admin/exports').set(service.as('root', 'Admin')).expect(200);
    const asOf = { position: expect.any(Number), time: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect(body.as_of).toEqual(asOf);
    expect((await exports.get(hour)).body.as_of).toEqual(asOf);
  });
  it.each(['yesterday', '2026', '2026112', '2026-11-22', '2026112224', '20260230', '2026023012', '20261322'])(
    'refuse %j, which is neither an hour nor a day',
    async (text) => {
      const { body } = await exports.get(text).expect(400);
      expect(body).toMatchObject({
        code: 'invalid_period',
        detail: expect.stringMatching(/^[A-Z].*\.$/),
        errors: [{ path: 'hour', message: 'must be an hour as YYYYMMDDHH or a day as YYYYMMDD' }],
      });
    },
  );
  it('have the record of a conversation in an hour, with its messages of that hour', async () => {
    const sql = `SELECT * FROM ${table} WHERE SK = 'ann#CONV#${c1}' ORDER BY datehour`;
    const { body } = await exports.query(sql);
    expect(body.columns.map((column: { name: string }) => column.name)).toEqual([
      'PK',
      'SK',
      'MessageMap',
      'TotalPrice',
      'CreateTime',
      'LastMessageId',
      'BotId',
      'datehour',
    ]);
    const [[pk, , map, , time, last, bot, datehour], second] = body.rows;
    expect([pk, time, bot, datehour]).toEqual(['ann', 1_700_000_000.5, null, foldersOf(hour)]);
    const messages = JSON.parse(map);
    expect(Object.keys(messages)).toHaveLength(8);
    expect(messages[reply]).toMatchObject({ role: 'assistant', content: [{ body: 'Reply to What is a canary-one?' }] });
    expect(messages).toHaveProperty(last);
    expect(Object.keys(JSON.parse(second[2]))).toHaveLength(2);
  });
  it('contain each cost once', async () => {
    expect(await exports.rows(`SELECT sum(TotalPrice)::DECIMAL(9, 4)::VARCHAR FROM ${table}`)).toEqual([['0.0075']]);
  });
  it('are rewritten for a late event, after an hour, and their day with them', async () => {
    await conversations.rate(c1, 'ann', reply, 'Not a canary-four.');
    service.later(HOUR);
    await written(hour, 2);
    await written(day, 2);
    const rated = `SELECT count(*) FROM ${table}, json_each(MessageMap::JSON) WHERE json_extract_string(value, '$.feedback.comment') = 'Not a canary-four.'`;
    expect(await exports.rows(rated)).toEqual([[1]]);
  });
  it('lose the content of a deleted conversation, and keep its cost', async () => {
    await conversations.delete(c2, 'ben');
    await written(hour, 3);
    await written(day, 3);
    const files = Buffer.concat([await bytesOf(hour), await bytesOf(day)]);
    expect(await exports.rows(`SELECT MessageMap, TotalPrice FROM ${table} WHERE PK = 'ben'`)).toEqual([['{}', 0.001]]);
    expect(await exports.rows(`SELECT count(*) FROM ${table} WHERE MessageMap LIKE '%canary-two%'`)).toEqual([[0]]);
    expect(files.includes('canary-two')).toBe(false);
  });
  it('lose the content of an erased user before the receipt counts it, even while inference still returns it', async () => {
    const erase = async () =>
      (await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: 'cat' })).body;
    expect(await erase()).toEqual({ service: 'analytics', removed: { emails: 0, exported_conversations: 1 } });
    expect(await exports.rows(`SELECT MessageMap FROM ${table} WHERE PK = 'cat'`)).toEqual([['{}']]);
    const { body: before } = await exports.get(hour);
    expect(await erase()).toEqual({ service: 'analytics', removed: { emails: 0, exported_conversations: 1 } });
    expect((await exports.get(hour)).body.writes).toBe(before.writes);
    expect(await exports.rows(`SELECT count(*) FROM ${table} WHERE MessageMap LIKE '%canary-three%'`)).toEqual([[0]]);
    expect(await exports.rows(`SELECT count(*) FROM ${table} WHERE MessageMap LIKE '%canary-one%'`)).toEqual([[1]]);
  });
  it('are not finished by a writer that read the content before it was erased', async () => {
    const late = newId();
    const lateHour = hourAt(Instant.ofMillis(noon + 3 * HOUR));
    let isDeleted = false;
    conversations.before = async () => {
      if (isDeleted || (await exports.get(lateHour)).status === 404) return;
      isDeleted = true;
      await conversations.hear('conversation-deleted', late, {
        conversation_id: late,
        user_id: 'dan',
        bot_id: null,
        because: 'deleted',
        messages: 2,
      });
      await waitFor(async () => (await outdatedEvents()) > 0, { what: 'the end of the claim of this writer' });
    };
    const outdatedEvents = async () => {
      const db = new DatabaseSync(service.host.directory!.file('analytics.db'), { timeout: 5_000 });
      const row = db
        .prepare("SELECT count(*) AS n FROM commits WHERE stream = ? AND events LIKE '%ExportOutdated%'")
        .get(`export-${lateHour}`);
      db.close();
      return Number(row!['n']);
    };
    await conversations.talk(late, 'dan', noon + 3 * HOUR, 'What is a canary-five?');
    // Events that are more than an hour older than others are found then.
    service.later(HOUR);
    await waitFor(async () => isDeleted && (await outdatedEvents()) > 0, { what: 'a deletion during an export' });
    conversations.forget(late);
    await written(lateHour, 1);
    expect(await exports.rows(`SELECT MessageMap FROM ${table} WHERE PK = 'dan'`)).toEqual([['{}']]);
  });
  it('do not exist for hours without conversations', async () => {
    expect((await exports.get('2020010100')).body).toMatchObject({ status: 404, code: 'export_not_found' });
  });
  it('answer SQL that is invalid, not allowed or too long with 400', async () => {
    expect((await exports.query('SELECT nope FROM nowhere')).body).toMatchObject({ status: 400, code: 'sql_invalid' });
    for (const view of ['pg_settings', 'main.duckdb_logs', 'pg_catalog."PG_Views"', 'pragma_database_list'])
      expect((await exports.query(`SELECT * FROM (SELECT * FROM ${view})`)).body).toMatchObject({ status: 400, code: 'sql_not_allowed' });
    expect((await exports.query("SELECT * FROM read_csv('/etc/passwd')")).body).toMatchObject({ status: 400, code: 'sql_not_allowed' });
    const endless = 'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t';
    expect((await exports.query(endless)).body).toMatchObject({ status: 400, code: 'query_timeout' });
    expect((await exports.query('x'.repeat(20_001))).body).toMatchObject({ status: 400 });
  });
  it('read the last days that a query requests', async () => {
    expect((await exports.query(`SELECT count(*) FROM ${table}`, 1)).body.rows).toEqual([[0]]);
    expect((await exports.query(`SELECT count(*) > 0 FROM devacme_usage_analysis.${table}`, 5)).body.rows).toEqual([[true]]);
  });
  it('are read with an entry in the audit log', async () => {
    const actions = async () => {
      const { body } = await request(service.server).get('/admin/audit-logs?user_id=root&limit=1000').set(service.as('root', 'Admin'));
      return new Set(body.audit_logs.map((entry: { action_type: string }) => entry.action_type));
    };
    await waitFor(async () => (await actions()).has('query_exports') && (await actions()).has('view_export'), { what: 'the entries' });
  });
  it('have an address that ends with the session or the token of its request', async () => {
    const { body } = await exports.get(hour);
    const issuedTo = (answer: { url: string }) => new URL(answer.url).searchParams.get('issued_to');
    expect(issuedTo(body)).toBe('session.session.root');
    const byToken = await request(service.server)
      .get(`/admin/exports/${hour}`)
      .set(service.asToken('t1', 'root', 'Admin'));
    expect(issuedTo(byToken.body)).toBe('token.t1');
  });
  it('are for administrators only', async () => {
    const asked = request(service.server).post('/admin/exports/query').set(service.as('ann')).send({ sql: 'SELECT 1' });
    expect((await asked).status).toBe(403);
  });
});
