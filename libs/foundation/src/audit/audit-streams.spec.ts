import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, HttpCode, Injectable, Module, Param, Post } from '@nestjs/common';
import { actionRefused } from '@parlance/contracts';
import { Instant, type RefusalKind, refuse } from '@parlance/decider';
import { EventStore, VersionConflict } from '@parlance/event-store';
import type { CloudEvent } from '@parlance/messaging';
import request from 'supertest';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '../harness.ts';
import { Audited, AuditedIfUnknown, AuditedRead, CheckedHere, createHttpApplication, Needs, Open, SignedIn } from '@parlance/http';
import { FoundationModule } from '../wiring/foundation.module.ts';
import { withAuditEvents } from './audit-streams.ts';
import type { Service } from '../process/service.ts';

let store: EventStore;

@Injectable()
class CapturesTheStore {
  constructor(its: EventStore) {
    store = its;
  }
}

@Controller('gates')
class GatesController {
  @Post(':gate/open')
  @Needs('GateKeepers')
  @Audited('open_gate', 'gate', 'gate')
  @HttpCode(200)
  open() {
    return { opened: true };
  }

  @Post(':gate/shut/:how')
  @SignedIn()
  @Audited('shut_gate', 'gate')
  @HttpCode(200)
  shut(@Param('how') how: string) {
    if (how === 'moved') throw new VersionConflict('gate-1', 1);
    if (how !== 'well') throw refuse(how as RefusalKind, `gate_${how}`, 'It is stuck.');
    return { shut: true };
  }

  @Get(':gate')
  @Needs('GateKeepers')
  @AuditedRead('view_gate', 'gate', 'gate')
  look(@Param('gate') gate: string) {
    if (gate === 'nowhere') throw refuse('missing', 'gate_not_found', 'There is no such gate.');
    return { gate };
  }

  @Post('closed')
  @CheckedHere('gateToken')
  @AuditedIfUnknown('use_gate_token', 'gate_token')
  closed() {
    throw refuse('unauthenticated', 'invalid_gate_token', 'This is not a gate token.');
  }

  @Post('quiet')
  @Open()
  quiet() {
    throw refuse('conflict', 'gate_stuck', 'The gate is stuck.');
  }
}

const gates: Service = {
  name: 'gates',
  handlers: () => [],
  module: async (host) => {
    @Module({
      imports: [await FoundationModule.of(host, { name: 'gates', projections: [], publish: () => [] })],
      controllers: [GatesController],
      providers: [CapturesTheStore],
    })
    class Gates {}
    return { module: Gates };
  },
};

describe('a refusal of an audited route', () => {
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();
  const received = Promise.withResolvers<CloudEvent>();
  const post = (path: string, who: Record<string, string> = service.as('ann')) => request(service.server).post(`/gates/${path}`).set(who);
  const kept = async () =>
    (await store.readAll(0, 1_000)).map(({ stream, events, metadata }) => ({ stream, event: events[0]?.event, metadata }));

  beforeAll(async () => {
    service = await serviceUnderTest(gates);
    await keys.enter(service.host);
    await service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.gates'],
      handle: async (deliveries) => {
        for (const { event } of deliveries) received.resolve(event);
      },
    });
  });
  afterAll(() => service.stop());

  it('by a guard is recorded before the answer: the user, the action and the address', async () => {
    const answer = await post('north/open');
    expect([answer.status, answer.body.code]).toEqual([403, 'group_required']);
    const [{ stream, event, metadata } = { stream: '', event: null, metadata: null }, ...more] = await kept();
    expect(more).toEqual([]);
    expect(stream).toMatch(/^refusal-[0-9A-Z]{26}$/);
    expect(event).toEqual({
      type: 'ActionRefused',
      action: 'open_gate',
      resourceType: 'gate',
      resourceId: 'north',
      code: 'group_required',
      message: 'This needs the group GateKeepers.',
    });
    expect(metadata).toMatchObject({ actor: 'ann', requestId: answer.body.request_id });
    expect(JSON.stringify(metadata)).not.toMatch(/203\.0\.113|test\/1/);
    expect([await keys.open(metadata!.ip), await keys.open(metadata!.userAgent)]).toEqual(['203.0.113.9', 'test/1']);
  });

  it('does not contain the address of an erased user', async () => {
    await keys.erase('eve');
    expect((await post('north/open', service.as('eve'))).status).toBe(403);
    expect((await kept()).at(-1)?.metadata).toMatchObject({ actor: 'eve', ip: null, userAgent: null });
  });

  it('is published to the other services', async () => {
    const { type, actor, actorip, data } = await received.promise;
    expect([type, actor, await keys.open(actorip)]).toEqual(['parlance.gates.action-refused.v1', 'ann', '203.0.113.9']);
    expect(actionRefused('gates').schema.parse(data)).toMatchObject({ action: 'open_gate', resource_id: 'north', code: 'group_required' });
  });

  it.each([
    ['conflict', 409, 'gate_conflict'],
    ['forbidden', 403, 'gate_forbidden'],
    ['moved', 409, 'version_conflict'],
    ['stale', 412, 'gate_stale'],
  ])('by the handler is also recorded (%s)', async (how, status, code) => {
    const before = (await kept()).length;
    expect((await post(`north/shut/${how}`)).status).toBe(status);
    const now = await kept();
    expect(now).toHaveLength(before + 1);
    expect(now.at(-1)?.event).toMatchObject({ action: 'shut_gate', resourceId: null, code });
  });

  it('is not recorded if it is not about a missing right, a conflicting state or a version', async () => {
    const before = (await kept()).length;
    const statuses = [];
    for (const how of ['well', 'invalid', 'missing', 'limited', 'unavailable']) statuses.push((await post(`north/shut/${how}`)).status);
    statuses.push((await post('north/open', {})).status, (await post('north/open?at=once')).status, (await post('quiet')).status);
    expect(statuses).toEqual([200, 400, 404, 429, 503, 401, 403, 409]);
    // The query string is validated after the user's rights; and `quiet` is not audited.
    expect(await kept()).toHaveLength(before + 1);
  });

  it.each([
    ['an id with a control character', 'a%0Ab', null],
    ['an id of 129 characters', 'x'.repeat(129), null],
    ['an id of 128 characters', 'x'.repeat(128), 'x'.repeat(128)],
  ])('contains %s only if it can be an ID', async (_, gate, id) => {
    await post(`${gate}/open`);
    expect((await kept()).at(-1)?.event).toMatchObject({ resourceId: id });
  });

  describe('a request for data that only administrators may see', () => {
    const get = (path: string, who: Record<string, string>) => request(service.server).get(`/gates/${path}`).set(who);

    it('is recorded when the data are returned', async () => {
      const before = (await kept()).length;
      expect((await get('north', service.as('root', 'GateKeepers'))).body).toEqual({ gate: 'north' });
      expect((await kept()).slice(before)).toMatchObject([
        {
          stream: expect.stringMatching(/^view-/),
          event: { type: 'DataViewed', action: 'view_gate', resourceType: 'gate', resourceId: 'north' },
          metadata: { actor: 'root' },
        },
      ]);
    });
    it('is recorded when it is refused', async () => {
      expect((await get('north', service.as('ann'))).status).toBe(403);
      expect((await kept()).at(-1)?.event).toMatchObject({ type: 'ActionRefused', action: 'view_gate', resourceId: 'north' });
    });
    it('is not recorded if there were no data to return', async () => {
      const before = await kept();
      expect((await get('nowhere', service.as('root', 'GateKeepers'))).status).toBe(404);
      expect(await kept()).toEqual(before);
    });
    it('fails if it cannot be recorded', async () => {
      const broken = jest.spyOn(store, 'append').mockRejectedValue(new Error('the disk is gone'));
      const answer = await get('north', service.as('root', 'GateKeepers'));
      broken.mockRestore();
      expect([answer.status, answer.body.code, answer.body.gate]).toEqual([503, 'audit_unavailable', undefined]);
    });
  });

  it('of an unknown credential is recorded at most a few times a minute', async () => {
    const before = (await kept()).length;
    for (let n = 0; n < 9; n++) expect((await post('closed', {})).status).toBe(401);
    const now = (await kept()).slice(before);
    expect(now).toHaveLength(6);
    expect(now[0]).toMatchObject({ event: { action: 'use_gate_token', code: 'invalid_gate_token' }, metadata: { actor: null } });
  });

  it('is answered with 503 if it cannot be recorded', async () => {
    const broken = jest.spyOn(store, 'append').mockRejectedValue(new Error('the disk of 10.0.0.7 is gone'));
    const answers = [await post('north/open'), await post('north/shut/conflict'), await post('north/shut/well')];
    broken.mockRestore();
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [503, 'audit_unavailable'],
      [503, 'audit_unavailable'],
      [200, undefined],
    ]);
    expect(answers[0]?.headers['retry-after']).toBe('5');
    expect(answers[0]?.text).not.toContain('10.0.0.7');
  });
});

it('cannot be declared in an application without an audit recorder', async () => {
  @Module({ controllers: [GatesController] })
  class Careless {}
  await expect(createHttpApplication(Careless, { statements: null, logger: false })).rejects.toThrow(/AuditRecorder/);
});

it('can be published from the form that the first release stored', () => {
  const facts = { action: 'open_gate', code: 'group_required', message: 'No.' };
  const stored = { type: 'ActionRefused', ...facts, resourceType: 'gate', resourceId: null };
  const metadata = {
    at: Instant.ofMillis(0),
    actor: 'ann',
    ip: null,
    userAgent: null,
    requestId: 'r',
    correlationId: 'r',
    causationId: null,
  };
  const commit = { position: 1, version: 1, stream: 'refusal-1', events: [{ id: 'e', schema: 1, event: stored }], metadata };
  const [outgoing, ...more] = withAuditEvents('bots', () => [])(commit);
  expect(more).toEqual([]);
  expect(outgoing?.event.data).toEqual({ ...facts, resource_type: 'gate', resource_id: null });
});
