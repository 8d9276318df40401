import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { freePort, waitFor } from '@parlance/testing';
import { Webhook } from 'standardwebhooks';
import request from 'supertest';
import { analytics } from '../src/service.ts';
import { answers, Receiver } from './receiver.ts';

const BUDGET_SET = 'parlance.analytics.budget-set.v1';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('webhooks', () => {
  const receiver = new Receiver();
  let service: ServiceUnderTest;
  const admin = () => service.as('root', 'Admin');
  const ask = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) =>
    request(service.server)[method](`/admin/webhooks${path}`).set(admin()).send(body);
  const create = async (path: string, more: object = {}) =>
    (await ask('post', '', { url: receiver.url(path), event_types: [BUDGET_SET], ...more })).body as { id: string; secret: string };
  /** Causes an event in the stream of a budget. */
  const happens = async (scopeId: string, limit: number) => {
    const body = { scope: 'group', scope_id: scopeId, period: 'MONTH', limit, mode: 'soft' };
    const answer = await request(service.server).put('/admin/budgets').set(admin()).send(body);
    expect(answer.status).toBe(200);
  };
  const limitsAt = (path: string, scopeId: string) =>
    receiver
      .of(path)
      .filter(({ event }) => event.data['scope_id'] === scopeId)
      .map(({ event }) => (event.data['limit_nano_dollars'] as number) / 1e9);
  const deliveries = async (id: string, query = '') => (await ask('get', `/${id}/deliveries${query}`)).body.deliveries;
  const becomes = (id: string, status: string, count = 1) =>
    waitFor(async () => (await deliveries(id, `?status=${status}`)).length >= count, { what: `${count} ${status}` });

  const stateOf = async (id: string) => {
    // States are cached for a second.
    service.later(1_000);
    const { body } = await request(service.server).get('/admin/health').set(admin());
    return body.webhooks.find(({ webhook_id }: { webhook_id: string }) => webhook_id === id);
  };
  const metrics = async () => (await fetch(`http://127.0.0.1:${service.host.metrics.port}/metrics`)).text();

  beforeAll(async () => {
    await receiver.start();
    service = await serviceUnderTest(analytics, {
      PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32',
      PARLANCE_METRICS_PORT: `${await freePort()}`,
    });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  it('receive events since their creation, signed according to Standard Webhooks', async () => {
    await happens('before', 1);
    const { id, secret } = await create('/signed');
    await happens('signed', 1);
    const [received] = await receiver.awaits('/signed', 1);
    expect(new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>)).toEqual(received!.event);
    expect(() => new Webhook(secret).verify(`${received!.body} `, received!.headers as Record<string, string>)).toThrow();
    expect(received!.headers).toMatchObject({ 'content-type': 'application/cloudevents+json', 'webhook-id': received!.event.id });
    expect(received!.event).toMatchObject({ specversion: '1.0', source: '/analytics', type: BUDGET_SET, data: { scope_id: 'signed' } });
    expect(Object.keys(received!.event)).not.toEqual(expect.arrayContaining(['actorip']));
    await becomes(id, 'delivered');
    expect(await deliveries(id)).toEqual([
      expect.objectContaining({
        delivery_id: received!.event.id,
        event_type: BUDGET_SET,
        subject: received!.event.subject,
        status: 'delivered',
        tries: 1,
        last_status: 204,
      }),
    ]);
  });

  it("show a delivery's event as it is sent, and the read is in the audit log", async () => {
    const { id } = await create('/shown');
    await happens('shown', 1);
    const [received] = await receiver.awaits('/shown', 1);
    await becomes(id, 'delivered');
    const { status, body } = await ask('get', `/${id}/deliveries/${received!.event.id}`);
    expect([status, body]).toEqual([200, { ...(await deliveries(id))[0], event: received!.event, event_missing: null }]);
    const views = async () =>
      (await request(service.server).get('/admin/audit-logs?action_type=view_webhook_delivery').set(admin())).body.audit_logs;
    // The entry arrives through the broker.
    await waitFor(async () => (await views()).length > 0, { what: 'the audit entry' });
    expect(await views()).toEqual([expect.objectContaining({ resource_id: id, user_id: 'root', success: true })]);
    const other = (await create('/other')).id;
    expect((await ask('get', `/${other}/deliveries/${received!.event.id}`)).body.code).toBe('delivery_not_found');
  });

  it('are signed with both secrets for a day after a rotation', async () => {
    const { id, secret: old } = await create('/rotated');
    const { status, body } = await ask('post', `/${id}/secret`);
    expect([status, body.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
    await happens('rotated', 1);
    const [both] = await receiver.awaits('/rotated', 1);
    for (const secret of [old, body.secret as string])
      expect(new Webhook(secret).verify(both!.body, both!.headers as Record<string, string>)).toEqual(both!.event);
    service.later(25 * HOUR);
    await happens('rotated', 2);
    const [, later] = await receiver.awaits('/rotated', 2);
    expect(later!.headers['webhook-signature']).toMatch(/^v1,\S+$/);
    expect((await ask('get', `/${id}`)).body).toMatchObject({ previous_secret_valid_until: null });
  });

  it('receive the events of one stream in order, and others meanwhile', async () => {
    let isDown = true;
    receiver.at('/ordered', (reply, { event }) =>
      (isDown && event.data['scope_id'] === 'slow' ? answers(500) : answers(200))(reply, undefined as never),
    );
    const { id } = await create('/ordered');
    for (const limit of [1, 2, 3]) await happens('slow', limit);
    await happens('quick', 1);
    await waitFor(async () => limitsAt('/ordered', 'quick').length === 1, { what: 'the event of the other stream' });
    expect(new Set(limitsAt('/ordered', 'slow'))).toEqual(new Set([1]));
    isDown = false;
    service.later(MINUTE);
    await becomes(id, 'delivered', 4);
    expect([...new Set(limitsAt('/ordered', 'slow'))]).toEqual([1, 2, 3]);
    const ids = receiver
      .of('/ordered')
      .filter(({ event }) => event.data['limit_nano_dollars'] === 1e9 && event.data['scope_id'] === 'slow');
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('are not delayed by another webhook whose endpoint does not answer', async () => {
    receiver.at('/hangs', () => undefined);
    receiver.at('/drips', (reply) => void reply.writeHead(200, { 'content-length': '1000' }).write('x'));
    const { id: hanging } = await create('/hangs');
    const { id: dripping } = await create('/drips');
    const { id } = await create('/prompt');
    for (let n = 0; n < 8; n++) await happens(`many-${n}`, 1);
    await becomes(id, 'delivered', 8);
    // The body of an answer is not awaited.
    await becomes(dripping, 'delivered', 8);
    await becomes(hanging, 'pending', 8);
    // No more than four requests at a time.
    expect(receiver.of('/hangs').length).toBe(4);
    for (const each of [hanging, dripping, id]) expect((await ask('delete', `/${each}`)).status).toBe(204);
  });

  it('wait as long as the endpoint requests', async () => {
    receiver.at('/busy', answers(429, { 'retry-after': '7200' }));
    const { id } = await create('/busy');
    await happens('busy', 1);
    await receiver.awaits('/busy', 1);
    await waitFor(async () => (await deliveries(id))[0].tries === 1, { what: 'the first try' });
    const [{ next_try_time, last_try_time, last_status }] = await deliveries(id);
    expect([next_try_time - last_try_time, last_status]).toEqual([7_200, 429]);
    await ask('delete', `/${id}`);
  });

  it('are disabled by an endpoint that is gone', async () => {
    receiver.at('/gone', answers(410));
    const { id } = await create('/gone');
    await happens('gone', 1);
    await waitFor(async () => (await ask('get', `/${id}`)).body.disabled_because === 'gone', { what: 'the webhook to be disabled' });
    await happens('gone', 2);
    expect(await deliveries(id)).toEqual([expect.objectContaining({ status: 'dead', tries: 1, last_status: 410 })]);
    receiver.at('/gone', answers(200));
    expect((await ask('patch', `/${id}`, { enabled: true })).body).toMatchObject({ enabled: true, disabled_because: null });
    await becomes(id, 'delivered');
    expect(limitsAt('/gone', 'gone')).toEqual([1, 2]);
  });

  it('follow no redirect, and reach no private address', async () => {
    receiver.at('/redirects', answers(307, { location: 'http://169.254.169.254/latest' }));
    const { id } = await create('/redirects');
    const { id: inside } = await create('', { url: 'http://10.0.0.1/hook' });
    await happens('redirects', 1);
    for (const each of [id, inside])
      await waitFor(async () => (await deliveries(each))[0]?.last_error != null, { what: 'the refused try' });
    expect([(await deliveries(id))[0].last_error, (await deliveries(inside))[0].last_error]).toEqual([
      'The address redirects too often.',
      'The address leads to a private or reserved network, which this deployment does not allow.',
    ]);
    for (const each of [id, inside]) await ask('delete', `/${each}`);
  });

  it('show in health and in metrics how long their oldest event waits', async () => {
    receiver.at('/waits', answers(503));
    const { id } = await create('/waits');
    const created = await stateOf(id);
    expect(created).toEqual({ webhook_id: id, enabled: true, lag_seconds: 0, pending: 0, dead_letters: 0 });
    await happens('waits', 1);
    await happens('waits', 2);
    await waitFor(async () => (await deliveries(id)).length === 2, { what: 'the deliveries' });
    service.later(MINUTE);
    await waitFor(async () => (await stateOf(id)).lag_seconds >= 60, { what: 'the lag' });
    expect(await stateOf(id)).toMatchObject({ pending: 2, dead_letters: 0 });
    const shown = await metrics();
    expect(shown).toContain(`parlance_webhook_pending_deliveries{service="analytics",webhook="${id}"} 2`);
    expect(shown).toMatch(new RegExp(`parlance_webhook_lag_seconds{service="analytics",webhook="${id}"} [6-9]\\d`));
    await ask('patch', `/${id}`, { enabled: false });
    await waitFor(async () => (await stateOf(id)).lag_seconds === 0, { what: 'no lag of a disabled webhook' });
    await ask('delete', `/${id}`);
    await waitFor(async () => (await stateOf(id)) === undefined, { what: 'the end of its state' });
  });

  it('have a dead letter after the last try, which can be retried', async () => {
    receiver.at('/dead', answers(503));
    const { id } = await create('/dead');
    await happens('dead', 1);
    for (let tries = 1; tries < 9; tries++) {
      await waitFor(async () => (await deliveries(id))[0]?.tries === tries, { what: `try ${tries}` });
      service.later(12 * HOUR);
    }
    await becomes(id, 'dead');
    expect(await stateOf(id)).toEqual({ webhook_id: id, enabled: true, lag_seconds: 0, pending: 0, dead_letters: 1 });
    expect(await metrics()).toContain(`parlance_webhook_dead_letters{service="analytics",webhook="${id}"} 1`);
    const [{ delivery_id, tries, next_try_time }] = await deliveries(id);
    expect([tries, next_try_time]).toEqual([9, null]);
    receiver.at('/dead', answers(200));
    const retried = await ask('post', `/${id}/deliveries/${delivery_id}/retry`);
    expect([retried.status, retried.body.delivery_id]).toEqual([202, delivery_id]);
    await becomes(id, 'delivered');
    expect((await deliveries(id))[0]).toMatchObject({ tries: 1, last_status: 200 });
    expect((await ask('post', `/${id}/deliveries/01K0000000000000000000000A/retry`)).body.code).toBe('delivery_not_found');
  });

  it('receive all events since a time again, in order and with the same IDs', async () => {
    await happens('earlier', 1);
    const { id } = await create('/replayed');
    for (const limit of [1, 2, 3]) await happens('replayed', limit);
    await becomes(id, 'delivered', 3);
    const first = receiver.of('/replayed').map(({ event }) => event.id);
    const answer = await ask('post', `/${id}/replay`, { from: 0 });
    expect([answer.status, answer.body]).toEqual([202, { from: 0 }]);
    await waitFor(async () => limitsAt('/replayed', 'replayed').length === 6, { what: 'the events again' });
    expect(limitsAt('/replayed', 'replayed')).toEqual([1, 2, 3, 1, 2, 3]);
    const again = receiver.of('/replayed').filter(({ event }) => event.data['scope_id'] === 'replayed');
    expect(again.slice(3).map(({ event }) => event.id)).toEqual(first);
    // Events before the webhook's creation are sent too, if the time is before them.
    expect(limitsAt('/replayed', 'earlier')).toEqual([1]);
    expect((await ask('post', `/${id}/replay`, { from: 99_999_999_999 })).body.code).toBe('replay_in_future');
  });

  it('are listed, changed and removed, and never show their secret again', async () => {
    const made = await ask('post', '', { url: receiver.url('/listed'), description: 'For the warehouse.' });
    const { secret, ...shown } = made.body;
    expect([made.status, secret]).toEqual([201, expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)]);
    expect(shown).toEqual({
      id: expect.any(String),
      url: receiver.url('/listed'),
      event_types: [],
      description: 'For the warehouse.',
      enabled: true,
      disabled_because: null,
      create_time: expect.any(Number),
      previous_secret_valid_until: null,
    });
    expect((await ask('get', '?limit=1000')).body.webhooks).toContainEqual(shown);
    const stale = await request(service.server)
      .patch(`/admin/webhooks/${shown.id}`)
      .set(admin())
      .set('if-match', '"7"')
      .send({ enabled: false });
    expect([stale.status, stale.body.code]).toEqual([412, 'version_stale']);
    const changed = await ask('patch', `/${shown.id}`, { enabled: false, event_types: [BUDGET_SET], description: '' });
    expect(changed.body).toEqual({ ...shown, enabled: false, disabled_because: 'admin', event_types: [BUDGET_SET], description: '' });
    expect((await ask('delete', `/${shown.id}`)).status).toBe(204);
    expect((await ask('get', `/${shown.id}`)).body.code).toBe('webhook_not_found');
    expect((await ask('delete', `/${shown.id}`)).status).toBe(204);
  });

  it.each([
    [{ url: 'ftp://example.org' }, 'url'],
    [{ url: 'https://user:password@example.org/' }, 'url'],
    [{ event_types: ['parlance.analytics.unknown.v1'] }, 'event_types'],
    // The log of the edge cannot be read.
    [{ event_types: ['parlance.edge.action-refused.v1'] }, 'event_types'],
    [{ secret: 'whsec_mine' }, 'secret'],
  ])('are refused with invalid fields: %j', async (fields, path) => {
    const answer = await ask('post', '', { url: 'https://example.org/hook', ...fields });
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, expect.stringContaining(path)]);
    // Users read it in the console.
    expect(answer.body.errors[0].message).not.toContain('regular expression');
  });

  it('are refused with an unknown type in one sentence, without the list of all types', async () => {
    const { body } = await ask('post', '', { url: 'https://example.org/hook', event_types: ['unknown.v1'] });
    expect(body.detail).toBe('The field event_types must contain only event types from /asyncapi.json, and none that the edge publishes.');
  });
});
