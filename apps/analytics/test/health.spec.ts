import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BotPinned, TokensCharged } from '@parlance/contracts';
import { ServiceHealth } from '@parlance/foundation';
import { serviceUnderTest, type ServiceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { auditActions } from '../src/policies/audit-actions.ts';
import { analytics } from '../src/service.ts';

const pinned = { bot_id: 'secret-title', status: 'shared', order: 1 };

describe('the health of an installation', () => {
  let service: ServiceUnderTest;
  const auditAction = auditActions.get(BotPinned.type)!;
  const repair = () => void (auditActions as Map<string, typeof auditAction>).set(BotPinned.type, auditAction);
  const breakAction = () =>
    void (auditActions as Map<string, typeof auditAction>).set(BotPinned.type, () => {
      throw new Error('a fault');
    });
  const get = (path: string, ...groups: string[]) =>
    request(service.server)
      .get(path)
      .set(service.as('root', ...groups));
  const health = async () => (await get('/admin/health', 'Admin').expect(200)).body;
  const own = async () => (await health()).services.find(({ name }: { name: string }) => name === 'analytics');
  const letters = async () => (await get('/admin/health/dead-letters?service=analytics', 'Admin').expect(200)).body;
  const redrive = (body: object, ...groups: string[]) =>
    request(service.server)
      .post('/admin/health/dead-letters/redrive')
      .set(service.as('root', ...groups))
      .send(body);
  const requests = async () =>
    (await get('/admin/audit-logs?action_type=redrive_dead_letters', 'Admin').expect(200)).body.audit_logs as Record<string, unknown>[];

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
  });
  afterEach(repair);
  afterAll(() => service.stop());

  /** A dead letter of analytics: an event whose audit entry could not be written. */
  async function deadLetter(id: string): Promise<string> {
    const before = (await letters()).total as number;
    breakAction();
    await service.hear(BotPinned.type, 'bot-1', pinned, id);
    await waitFor(async () => (await letters()).total > before, { what: 'the dead letter' });
    repair();
    return (await letters()).dead_letters.at(-1).id as string;
  }

  it('has all values of a service that answers, and none of services that do not', async () => {
    await waitFor(async () => (await own()).lag_seconds === 0, { what: 'no lag' });
    const { services, broker, stores } = await health();
    expect(services).toHaveLength(6);
    expect(await own()).toEqual({
      name: 'analytics',
      status: 'ok',
      version: expect.stringMatching(/^\d/),
      replicas: 1,
      silent_replicas: [],
      lag_seconds: 0,
      events_behind: 0,
      parked: 0,
      dead_letters: 0,
      stopped: [],
      building: [],
    });
    expect(services[1]).toEqual({
      name: 'bots',
      status: 'unreachable',
      version: null,
      replicas: null,
      silent_replicas: null,
      lag_seconds: null,
      events_behind: null,
      parked: null,
      dead_letters: null,
      stopped: null,
      building: null,
    });
    const up = { status: 'up', since: expect.any(Number), latency_ms: expect.any(Number), bytes: expect.any(Number) };
    expect(broker).toEqual(up);
    expect(stores[4]).toEqual({ service: 'analytics', kind: 'database', ...up });
    expect(stores[1]).toEqual({ service: 'bots', kind: 'database', status: 'unknown', since: null, latency_ms: null, bytes: null });
    expect(stores[4].bytes).toBeGreaterThan(4_096);
    expect(stores.slice(6)).toEqual([{ service: 'analytics', kind: 'object_store', ...up, bytes: null }]);
  });

  it('names the host of a replica that was killed or does not respond', async () => {
    const facts = service.part(ServiceHealth);
    const now = await facts.facts();
    const spy = jest.spyOn(facts, 'facts').mockResolvedValue({ ...now, silent_replicas: ['lost-host'] });
    expect(await own()).toMatchObject({ status: 'degraded', silent_replicas: ['lost-host'] });
    spy.mockRestore();
    expect(await own()).toMatchObject({ status: 'ok', silent_replicas: [] });
  });

  it('is for administrators only', async () => {
    await get('/admin/health').expect(403);
    await get('/admin/health/dead-letters?service=analytics').expect(403);
    await redrive({ service: 'analytics' }).expect(403);
    await get('/admin/health/dead-letters?service=nobody', 'Admin').expect(400);
    await redrive({ service: 'analytics', ids: [] }, 'Admin').expect(400);
  });

  it('counts and lists dead letters without their content, until they are redriven and handled', async () => {
    const id = await deadLetter('event-1');
    expect(await own()).toMatchObject({ status: 'degraded', dead_letters: 1 });
    const listed = await letters();
    expect(listed).toMatchObject({ service: 'analytics', total: 1 });
    expect(listed.dead_letters).toEqual([
      {
        id,
        event_id: 'event-1',
        event_type: BotPinned.type,
        subject: 'bot-1',
        event_time: expect.any(String),
        topic: 'parlance.bots',
        partition: expect.any(Number),
        failed_at: expect.any(String),
      },
    ]);
    expect(JSON.stringify(listed)).not.toContain('secret-title');
    const asked = get('/admin/health/dead-letters?service=analytics', 'Admin').set('accept', 'text/csv');
    const [head, line] = (await asked.expect(200).expect('content-type', 'text/csv; charset=utf-8')).text.split('\r\n');
    expect(head).toBe('id,event_id,event_type,subject,event_time,topic,partition,failed_at');
    expect(line).toBe(Object.values(listed.dead_letters[0]).join());
    await redrive({ service: 'analytics', ids: [id] }, 'Admin').expect(202, { service: 'analytics', redriven: 1 });
    await waitFor(async () => (await own()).status === 'ok', { what: 'health' });
    expect((await letters()).dead_letters).toEqual([]);
    await waitFor(async () => (await requests()).some(({ success }) => success === true), { what: 'the entry' });
    expect((await requests())[0]).toMatchObject({
      user_id: 'root',
      action_type: 'redrive_dead_letters',
      resource_type: 'service',
      resource_id: 'analytics',
      details: { dead_letter_ids: [id] },
    });
    await redrive({ service: 'analytics', ids: [id] }, 'Admin').expect(202, { service: 'analytics', redriven: 0 });
  });

  it('redrives dead letters with the given IDs and no others, or all of a service', async () => {
    const first = await deadLetter('event-2');
    await deadLetter('event-3');
    await redrive({ service: 'analytics', ids: [first, 'none'] }, 'Admin').expect(202, { service: 'analytics', redriven: 1 });
    await waitFor(async () => (await letters()).total === 1, { what: 'one dead letter' });
    expect((await letters()).dead_letters[0].event_id).toBe('event-3');
    await redrive({ service: 'bots' }, 'Admin').expect(202, { service: 'bots', redriven: 0 });
    expect((await letters()).total).toBe(1);
    await redrive({ service: 'analytics' }, 'Admin').expect(202, { service: 'analytics', redriven: 1 });
    await waitFor(async () => (await own()).status === 'ok', { what: 'health' });
  });

  it('lists dead letters in pages that neither skip nor repeat one while earlier ones are redriven', async () => {
    const ids = [await deadLetter('event-4'), await deadLetter('event-5'), await deadLetter('event-6')];
    const page = async (token?: string) => {
      const path = `/admin/health/dead-letters?service=analytics&limit=1${token === undefined ? '' : `&next_token=${token}`}`;
      return (await get(path, 'Admin').expect(200)).body;
    };
    const first = await page();
    expect([first.total, first.dead_letters[0].id]).toEqual([3, ids[0]]);
    await redrive({ service: 'analytics', ids: [ids[0]] }, 'Admin').expect(202);
    const second = await page(first.next_token);
    const third = await page(second.next_token);
    expect([second, third].map(({ dead_letters }) => dead_letters.map(({ id }: { id: string }) => id))).toEqual([[ids[1]], [ids[2]]]);
    expect(third.next_token).toBeNull();
    await get(`/admin/health/dead-letters?service=bots&next_token=${first.next_token}`, 'Admin').expect(400);
    await redrive({ service: 'analytics' }, 'Admin').expect(202);
    await waitFor(async () => (await own()).status === 'ok', { what: 'health' });
  });

  it('shows since when a broker is unavailable, records nothing meanwhile, and recovers', async () => {
    const { broker } = service.host;
    const { lag, countDeadLetters } = broker;
    // Seven requests, and the refused one.
    await waitFor(async () => (await requests()).length === 8, { what: 'the entries' });
    const before = Date.now() / 1_000;
    const away = () => Promise.reject(new Error('the broker is unavailable'));
    Object.assign(broker, { lag: away, countDeadLetters: away });
    expect((await health()).broker).toEqual({ status: 'down', since: expect.any(Number), latency_ms: null, bytes: null });
    const { since } = (await health()).broker;
    expect(since).toBeGreaterThanOrEqual(before - 1);
    expect((await health()).broker.since).toBe(since);
    expect(await own()).toMatchObject({ status: 'degraded', dead_letters: null, events_behind: null, parked: 0 });
    await redrive({ service: 'analytics' }, 'Admin').expect(503);
    await get('/admin/health/dead-letters?service=analytics', 'Admin').expect(503);
    Object.assign(broker, { lag, countDeadLetters });
    expect((await health()).broker).toMatchObject({ status: 'up' });
    expect((await health()).broker.since).toBeGreaterThanOrEqual(since);
    await waitFor(async () => (await own()).status === 'ok' && (await own()).events_behind === 0, { what: 'health' });
    expect(await requests()).toHaveLength(8);
  });

  it('is degraded while the object store is away, and the service stays ready', async () => {
    const down = { status: 'down', since: 1, latency_ms: null, bytes: null } as const;
    const state = jest.spyOn(service.host.objects.health!, 'state').mockResolvedValue(down);
    expect(await own()).toMatchObject({ status: 'degraded', dead_letters: 0 });
    expect((await health()).stores[6]).toEqual({ service: 'analytics', kind: 'object_store', ...down });
    const { status, body } = await request(service.server).get('/health/ready');
    expect([status, body.details['object store']]).toEqual([200, { status: 'down' }]);
    state.mockRestore();
    expect(await own()).toMatchObject({ status: 'ok' });
  });

  it('names a read model that has stopped at an event', async () => {
    await service.hear(TokensCharged.type, 'conversation-1', null as unknown as object);
    await waitFor(async () => (await own()).stopped.includes('spend'), { what: 'the stop' });
    expect(await own()).toMatchObject({ status: 'degraded', stopped: expect.arrayContaining(['spend']), dead_letters: 0 });
  });
});
