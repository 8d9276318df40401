import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { CloudEvent } from '@parlance/messaging';
import { RequestContext } from './request-context.ts';

const noon = Instant.parse('2026-01-01T12:00:00Z');
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const context = (requestId: string): RequestContext => ({
  requestId,
  correlationId: 'c-1',
  causationId: null,
  caller: null,
  ip: '203.0.113.7',
  userAgent: 'curl/8',
  traceparent,
});

const event: CloudEvent = {
  specversion: '1.0',
  id: 'e-1',
  source: '/bots',
  type: 'parlance.bots.bot-created.v1',
  subject: 'bot-1',
  time: '2026-01-01T12:00:00.000Z',
  datacontenttype: 'application/json',
  data: {},
  sequence: '1.0',
};

describe('the request context', () => {
  it('does nothing for work outside a request', async () => {
    RequestContext.identify({ userId: 'ann', groups: [], sessionId: null, kind: 'user' });
    RequestContext.concern('ann');
    RequestContext.trace(traceparent);
    RequestContext.noteRecorded('user-ann');
    RequestContext.noteBehind(['users']);
    expect(await RequestContext.appending(async () => 'appended')).toBe('appended');
    expect(RequestContext.current()).toBeUndefined();
  });
  it('is visible to all work that was started in it, and to no other work', async () => {
    const seen = await Promise.all(
      ['a', 'b'].map((id) =>
        RequestContext.run(context(id), async () => {
          await setImmediate();
          return RequestContext.current()?.requestId;
        }),
      ),
    );
    expect(seen).toEqual(['a', 'b']);
    expect(RequestContext.current()).toBeUndefined();
  });

  it('provides the metadata of an append', () => {
    const metadata = RequestContext.run(context('r-1'), () => {
      RequestContext.identify({ userId: 'ada', groups: [], sessionId: 's-1', kind: 'user' });
      return RequestContext.metadata(noon);
    });
    expect(metadata).toEqual({
      at: noon,
      actor: 'ada',
      ip: '203.0.113.7',
      userAgent: 'curl/8',
      requestId: 'r-1',
      correlationId: 'c-1',
      causationId: null,
      traceparent,
    });
  });

  it("includes the caller's personal access token in the metadata", () => {
    const caller = { userId: 'ada', groups: [], sessionId: null, tokenId: 't-1', kind: 'user' } as const;
    expect(RequestContext.run({ ...context('r-1'), caller }, () => RequestContext.metadata(noon))).toMatchObject({
      actor: 'ada',
      token: 't-1',
    });
    expect(RequestContext.following({ ...event, actor: 'ada', actortoken: 't-1' }).caller).toMatchObject({ userId: 'ada', tokenId: 't-1' });
  });

  it('is created for an append without a request', () => {
    const [first, second] = [RequestContext.metadata(noon), RequestContext.metadata(noon)];
    expect(first).toMatchObject({ actor: null, ip: null, causationId: null, correlationId: first.requestId });
    expect(second.requestId).not.toBe(first.requestId);
    expect(() => RequestContext.identify({ userId: 'ada', groups: [], sessionId: null, kind: 'user' })).not.toThrow();
  });

  it('of a handled event continues the request that led to the event', () => {
    const following = RequestContext.following({
      ...event,
      actor: 'ada',
      actorip: '203.0.113.7',
      actoragent: 'curl/8',
      requestid: 'r-1',
      correlationid: 'c-1',
      causationid: 'e-0',
      traceparent,
    });
    expect(following).toEqual({
      ...context('r-1'),
      causationId: 'e-1',
      caller: { userId: 'ada', groups: [], sessionId: null, kind: 'system' },
    });
  });

  it('of an event without request attributes is filled from its ID', () => {
    expect(RequestContext.following({ ...event, traceparent: 'nonsense' })).toEqual({
      requestId: 'e-1',
      correlationId: 'e-1',
      causationId: 'e-1',
      caller: null,
      ip: null,
      userAgent: null,
    });
  });
});
