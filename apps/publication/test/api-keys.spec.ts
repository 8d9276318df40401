import { afterAll, describe, expect, it } from '@jest/globals';
import { EventStore, newId } from '@parlance/event-store';
import { readApiKey } from '@parlance/http';
import { MOST_KEYS } from '../src/domain/api-keys.ts';
import { publicationStream } from '../src/domain/publication.ts';
import { type Answer, PublicationUnderTest } from './publication-under-test.ts';

const under = await PublicationUnderTest.start();
const botId = await under.publishedBot();
afterAll(() => under.stop());

const keys = (of = botId) => `/bot/${of}/publication/api-key`;
const ask = (method: string, keyId: string, body?: object, headers = under.owner()) =>
  under.ask(method, `${keys()}/${keyId}`, headers, body);
const codeOf = ({ status, body }: Answer) => [status, body?.code];
const soon = () => Math.floor(Date.now() / 1_000) + 3_600;

describe('API keys', () => {
  it('show their value once, and masked afterwards', async () => {
    const expires_at = soon();
    const ranges = ['192.0.2.77/24', '2001:DB8::1', '::ffff:198.51.100.7', '192.0.2.0/24'];
    const { status, body } = await under.createKey(botId, { expires_at, allowed_ip_ranges: ranges });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        description: 'Shop',
        value: expect.stringMatching(/^prl_[0-9a-z]{85}$/),
        enabled: true,
        created_date: expect.any(Number),
        expires_at,
        last_used_date: null,
        allowed_ip_ranges: ['192.0.2.0/24', '2001:db8::1/128', '198.51.100.7/32'],
      },
    ]);
    const { value } = body as { value: string };
    const masked = `${value.slice(0, 8)}…${value.slice(-4)}`;
    const { body: found } = await ask('GET', body.id);
    expect(found).toEqual({ ...body, value: masked });
    const { body: publication } = await under.ask('GET', `/bot/${botId}/publication`, under.owner());
    expect(publication.api_key_ids).toContain(body.id);
  });
  it('never appear in events with their values or descriptions', async () => {
    const { body } = await under.createKey(botId, { description: 'Bakery of Bea' });
    const { commits } = await under.app.get(EventStore).read(publicationStream(botId), 0, 1_000);
    const log = JSON.stringify(commits);
    expect(log).toContain(body.id);
    expect([log.includes('Bakery'), log.includes(body.value), log.includes(body.value.slice(30, 80))]).toEqual([false, false, false]);
  });
  it('are looked up by edges with their hash and the revision of the copy', async () => {
    const { body } = await under.createKey(botId);
    const service = under.service.asService('edge');
    const publication = (await under.ask('GET', `/bot/${botId}/publication`, under.owner())).body;
    const apiId = publication.codebuild_id.toLowerCase();
    const api = await under.ask('GET', `/internal/published/${apiId}`, service);
    expect(api.body).toMatchObject({ bot_id: botId, owner_user_id: 'ann', stage: 'api', allowed_origins: ['*'], copy_seconds: 3_600 });
    const key = await under.ask('GET', `/internal/published/${apiId}/keys/${body.id}`, service);
    expect(key.body).toMatchObject({ key_id: body.id, hash: readApiKey(body.value)!.hash, enabled: true });
    const stateOf = async () =>
      (await under.ask('GET', `/internal/revocations/state?keys=${[api.body.revision, key.body.revision].join(',')}`, service)).body
        .revoked;
    expect(await stateOf()).toEqual([]);
    await ask('PATCH', body.id, { enabled: false });
    expect(await stateOf()).toEqual([key.body.revision]);
    const disabled = await under.ask('GET', `/internal/published/${apiId}/keys/${body.id}`, service);
    expect(disabled.body).toMatchObject({ enabled: false, revision: expect.not.stringContaining(key.body.revision) });
    await under.ask('PATCH', `/bot/${botId}/publication`, under.owner(), { throttle: { rate_limit: Math.random() + 1 } });
    expect((await stateOf()).sort()).toEqual([api.body.revision, key.body.revision].sort());
  });
  it('are named for the figures of administrators, until they are revoked', async () => {
    const { body: shop } = await under.createKey(botId, { description: 'Shop' });
    const { body: gone } = await under.createKey(botId, { description: 'Gone' });
    await ask('DELETE', gone.id);
    const asked = { key_ids: [shop.id, gone.id, newId()] };
    const { body } = await under.ask('POST', '/internal/api-keys/descriptions', under.service.asService('analytics'), asked);
    expect(body).toEqual({ descriptions: { [shop.id]: 'Shop' } });
    expect((await under.ask('POST', '/internal/api-keys/descriptions', under.owner(), asked)).status).toBe(404);
  });
  it('have the time of their last use, which edges report with their usage', async () => {
    const { id } = (await under.createKey(botId)).body;
    const apiId = (await under.ask('GET', `/bot/${botId}/publication`, under.owner())).body.codebuild_id.toLowerCase();
    const service = under.service.asService('edge');
    const now = Math.floor(Date.now() / 1_000);
    const counts = { '2xx': 1, '3xx': 0, '4xx': 0, '429': 0, '5xx': 0 };
    const report = (number: number, time: number) =>
      under.ask('POST', '/internal/api-usage', service, {
        holder: 'e1',
        reports: [
          { key_id: newId(), api_id: newId().toLowerCase(), number, time, counts },
          { key_id: id, api_id: apiId, number, time, counts },
        ],
      });
    const lastUse = async () => (await ask('GET', id)).body.last_used_date;
    expect((await report(1, now - 7_200)).status).toBe(204);
    expect(await lastUse()).toBe(now - 7_200);
    await report(2, now - 7_300);
    expect(await lastUse()).toBe(now - 7_200);
    await report(3, now + 86_400);
    expect(Math.abs((await lastUse()) - now)).toBeLessThan(3_600);
    expect(codeOf(await under.ask('POST', '/internal/api-usage', under.owner(), { holder: 'e1', reports: [] }))).toEqual([
      404,
      'no_such_route',
    ]);
  });
  it('are changed, and deleted permanently', async () => {
    const { body } = await under.createKey(botId);
    const changed = await ask('PATCH', body.id, { description: 'Till', enabled: false, expires_at: soon() });
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining({ description: 'Till', enabled: false })]);
    expect((await ask('PATCH', body.id, { expires_at: null })).body).toMatchObject({ description: 'Till', expires_at: null });
    expect((await ask('DELETE', body.id)).status).toBe(204);
    const after = [await ask('GET', body.id), await ask('PATCH', body.id, { enabled: true }), await ask('DELETE', body.id)];
    expect(after.map(codeOf)).toEqual(after.map(() => [404, 'api_key_not_found']));
  });
  it('are changed and deleted only at the given revision, if the request has If-Match', async () => {
    const { body, headers } = await under.createKey(botId);
    const path = `/bot/${botId}/publication/api-key/${body.id}`;
    const first = String(headers['etag']);
    const asRead = (method: 'PATCH' | 'DELETE', tag: string, change?: object) =>
      under.ask(method, path, { ...under.owner(), 'if-match': tag }, change);
    const changed = await asRead('PATCH', first, { enabled: false });
    const second = String(changed.headers['etag']);
    expect([changed.status, second !== first, (await ask('GET', body.id)).headers['etag']]).toEqual([200, true, second]);
    for (const stale of [await asRead('PATCH', first, { enabled: true }), await asRead('DELETE', first)])
      expect(codeOf(stale)).toEqual([412, 'version_stale']);
    expect(codeOf(await asRead('DELETE', 'none'))).toEqual([400, 'invalid_if_match']);
    expect((await asRead('DELETE', second)).status).toBe(204);
  });
  it.each([
    [{ description: '' }, 'description'],
    [{ description: undefined }, 'description'],
    [{ expires_at: -1 }, 'expires_at'],
    [{ allowed_ip_ranges: ['10.0.0.0/33'] }, 'allowed_ip_ranges'],
    [{ allowed_ip_ranges: ['fe80::1%eth0'] }, 'allowed_ip_ranges'],
  ])('refuse %j, and name the field', async (body, field) => {
    const { status, body: problem } = await under.createKey(botId, body);
    expect([status, (problem.errors as { path: string }[])[0]!.path.replace(/[.[]\d+\]?$/, '')]).toEqual([400, field]);
  });
  it('refuse an expiry that has passed', async () =>
    expect(codeOf(await under.createKey(botId, { expires_at: 1_000 }))).toEqual([400, 'expiry_passed']));
  it('are hidden from other users, and from other publications', async () => {
    const { body } = await under.createKey(botId);
    const other = await under.publishedBot();
    expect(codeOf(await under.ask('GET', `${keys(other)}/${body.id}`, under.owner()))).toEqual([404, 'api_key_not_found']);
    expect(codeOf(await under.ask('DELETE', `${keys(other)}/${body.id}`, under.owner()))).toEqual([404, 'api_key_not_found']);
    expect(codeOf(await ask('GET', body.id, undefined, under.owner('ben')))).toEqual([404, 'bot_not_found']);
    expect(codeOf(await ask('GET', body.id, undefined, under.service.as('ann')))).toEqual([403, 'group_required']);
    expect((await ask('GET', body.id, undefined, under.service.as('root', 'Admin'))).status).toBe(200);
    expect(codeOf(await under.ask('GET', `/internal/published/x/keys/${body.id}`, under.owner()))).toEqual([404, 'no_such_route']);
  });
  it('are listed in pages, the oldest first, up to the limit of a publication', async () => {
    const full = await under.publishedBot();
    const made: string[] = [];
    for (let n = 0; n < MOST_KEYS; n++) made.push((await under.createKey(full)).body.id);
    expect(codeOf(await under.createKey(full))).toEqual([409, 'too_many_api_keys']);
    const listed: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const { body } = await under.ask('GET', `${keys(full)}?limit=40${next && `&next_token=${next}`}`, under.owner());
      expect(body.api_keys.every(({ value }: { value: string }) => value.length === 13)).toBe(true);
      listed.push(...body.api_keys.map(({ id }: { id: string }) => id));
      next = body.next_token;
    }
    expect(listed).toEqual(made.toSorted());
  });
  it('never outlive the publication, in 50 races between its removal and their creation', async () => {
    for (let n = 0; n < 50; n++) {
      const racing = await under.publishedBot();
      const [created, removed] = await Promise.all([
        under.createKey(racing),
        under.ask('DELETE', `/bot/${racing}/publication`, under.owner()),
      ]);
      expect([[201, 404, 409].includes(created.status), removed.status]).toEqual([true, 204]);
      if (created.status === 201) expect((await under.ask('GET', `${keys(racing)}/${created.body.id}`, under.owner())).status).toBe(404);
    }
  });
  it('are not created for a bot that is not published', async () =>
    expect(codeOf(await under.createKey(newId()))).toEqual([404, 'bot_not_found']));
});
