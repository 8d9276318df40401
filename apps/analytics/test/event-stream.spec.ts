import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { CloudEvent } from '@parlance/messaging';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { analytics } from '../src/service.ts';

/** How long the ends of the logs are remembered. */
const HEAD_MILLIS = 400;
const BUDGET_SET = 'parlance.analytics.budget-set.v1';

interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: CloudEvent<Record<string, unknown>>;
}

/** A client of an open stream. */
class Following {
  text = '';
  isOver = false;

  constructor(
    private readonly call: ClientRequest,
    answer: IncomingMessage,
  ) {
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => (this.text += text));
    answer.on('error', () => undefined);
    answer.on('close', () => (this.isOver = true));
  }

  get received(): ReceivedEvent[] {
    const events = this.text.split('\n\n').slice(0, -1);
    return events
      .filter((event) => event.startsWith('id: '))
      .map((event) => {
        const [, id, type, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(event)!;
        return { id: id!, event: type!, data: JSON.parse(data!) as ReceivedEvent['data'] };
      });
  }

  limits(): unknown[] {
    return this.received.map(({ data }) => data.data['limit_nano_dollars']);
  }

  leave(): void {
    this.call.destroy();
  }
}

describe('a stream of events', () => {
  let service: ServiceUnderTest;
  let open: Following[] = [];
  let identity: CloudEvent[] = [];
  const admin = () => service.as('root', 'Admin');
  const happens = async (limit: number) => {
    const body = { scope: 'group', scope_id: 'g', period: 'MONTH', limit: limit / 1e9, mode: 'soft' };
    await request(service.server).put('/admin/budgets').set(admin()).send(body);
    service.later(HEAD_MILLIS);
  };
  const follow = async (query: string, headers: Record<string, string> = {}) => {
    const { port } = service.server.address() as AddressInfo;
    const call = get({ port, path: `/admin/events${query}`, headers: { ...admin(), ...headers } });
    call.on('error', () => undefined);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const following = new Following(call, answer);
    open.push(following);
    return following;
  };
  const gets = (following: Following, count: number) =>
    waitFor(async () => following.received.length >= count, { what: `${count} events` });
  const says = (type: string, data: object) => {
    const sequence = `${identity.length + 1}.0`;
    const event = {
      specversion: '1.0',
      id: sequence,
      source: '/identity',
      type,
      subject: 's',
      time: new Date().toISOString(),
      sequence,
      data,
    };
    identity.push(event as CloudEvent);
    service.later(HEAD_MILLIS);
  };

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    service.server.listen(0);
    service.host.published.enter('identity', {
      after: async (position: number) => ({ events: identity.slice(position), position: identity.length, head: identity.length }),
      positionAt: async () => identity.length + 1,
    });
  });
  afterEach(() => {
    for (const following of open) following.leave();
    open = [];
  });
  afterAll(() => service.stop());

  it('sends the events of the types from now on', async () => {
    await happens(1);
    const following = await follow(`?types=${BUDGET_SET},parlance.analytics.budget-removed.v1`);
    await happens(2);
    await gets(following, 1);
    expect(following.received).toEqual([
      {
        id: expect.any(String),
        event: BUDGET_SET,
        data: expect.objectContaining({ specversion: '1.0', source: '/analytics', type: BUDGET_SET }),
      },
    ]);
    expect(following.limits()).toEqual([2]);
    expect(following.text).not.toContain('actorip');
  });

  it('continues after the last event that its reader has', async () => {
    const following = await follow(`?types=${BUDGET_SET}`);
    await happens(3);
    await happens(4);
    await gets(following, 2);
    following.leave();
    await happens(5);
    const again = await follow(`?types=${BUDGET_SET}`, { 'last-event-id': following.received[0]!.id });
    await gets(again, 2);
    expect(again.limits()).toEqual([4, 5]);
  });

  it('begins at a time, if one is given', async () => {
    const following = await follow(`?types=${BUDGET_SET}&from=0`);
    await gets(following, 5);
    expect(following.limits()).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([
    ['the session ends', 'parlance.identity.session-ended.v1', { user_id: 'root', session_id: 'session', reason: 'signed_out' }],
    ['its reader leaves the group', 'parlance.identity.user-left-group.v1', { user_id: 'root', group: 'Admin' }],
    ['its reader is disabled', 'parlance.identity.user-disabled.v1', { user_id: 'root' }],
  ])('ends when %s', async (_, type, data) => {
    const following = await follow('');
    const other = { ...data, user_id: 'other', session_id: 'other' };
    says(type, other);
    await waitFor(async () => following.received.some(({ event }) => event === type), { what: 'the event of the other user' });
    expect(following.isOver).toBe(false);
    says(type, data);
    await waitFor(async () => following.isOver, { what: 'the end of the stream' });
    // The event itself is not sent. The next session of an administrator receives it.
    expect(following.received.filter(({ event }) => event === type)).toHaveLength(1);
  });

  it('ends when a token would have expired', async () => {
    const following = await follow('');
    service.later(31 * 60_000);
    await waitFor(async () => following.isOver, { what: 'the end of the stream' });
  });

  it('is recorded as a view before it begins', async () => {
    const following = await follow('?types=parlance.analytics.data-viewed.v1&from=0');
    await gets(following, 1);
    expect(following.received[0]!.data.data).toEqual({ action: 'view_events', resource_type: 'events', resource_id: null });
  });

  it.each([
    ['?types=parlance.unknown.v1', {}, 'unknown_event_type'],
    ['?from=-1', {}, 'invalid_query'],
    ['', { 'last-event-id': 'x' }, 'invalid_last_event_id'],
  ])('is refused: %s %j', async (query, headers, code) => {
    const answer = await request(service.server)
      .get(`/admin/events${query}`)
      .set({ ...admin(), ...headers });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it('has a limited number of readers', async () => {
    await Promise.all(Array.from({ length: 20 }, () => follow('')));
    const answer = await request(service.server).get('/admin/events').set(admin());
    expect([answer.status, answer.body.code]).toEqual([503, 'too_many_streams']);
  });
});
