import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { waitFor } from '@parlance/testing';
import { ClientRepeats } from '../src/http/published/client-repeats.ts';
import { RecentRequests } from '../src/http/published/recent-requests.ts';
import { type PublishedUnderTest, publishedEdge } from './published/published-rig.ts';

interface Sent {
  readonly wish?: string;
  readonly retry?: number;
  readonly idempotencyKey?: string;
  readonly key?: string;
  readonly below?: string;
  readonly signal?: AbortSignal;
}

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('a request that a client repeats automatically, %s,', (_, overHttp) => {
  let under: PublishedUnderTest;
  let apiId: string;
  let value: string;
  beforeAll(async () => {
    under = await publishedEdge({ overHttp });
    apiId = under.publications.publish();
  });
  afterAll(() => under.edge.stop());
  beforeEach(() => {
    ({ value } = under.publications.createKey(apiId));
    under.inference.newIds.length = 0;
    under.limits.ended.length = 0;
    under.limits.quotaRefusal = null;
  });

  afterEach(() => void jest.restoreAllMocks());

  const post = async ({ wish, retry = 0, idempotencyKey, key = value, below = '/v1/chat/completions', signal }: Sent = {}) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-stainless-retry-count': String(retry),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    };
    const body = JSON.stringify({ bot_title: wish, model: 'm' });
    const answer = await fetch(`${under.edge.url}/published/${apiId}/api${below}`, {
      method: 'POST',
      headers,
      body,
      ...(signal && { signal }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  /** Sends a request, and the end of its body only at `finish`. `answer` is the code of the refusal. */
  const slowly = ({ wish, retry = 0, key = value }: Sent) => {
    const body = JSON.stringify({ bot_title: wish, model: 'm' });
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
      'x-stainless-retry-count': String(retry),
    };
    const sending = request(`${under.edge.url}/published/${apiId}/api/v1/chat/completions`, { method: 'POST', headers });
    sending.write(body.slice(0, -1));
    const answer = once(sending, 'response').then(async ([response]) => ((await json(response)) as { error: { code: string } }).error.code);
    return { answer, finish: () => sending.end(body.slice(-1)) };
  };
  /** Waits until this many requests have ended, and returns how they ended for the limits. */
  const ended = async (count: number) => {
    await waitFor(() => under.limits.ended.length === count);
    return under.limits.ended;
  };
  const ids = () => under.inference.newIds;

  it('is the same request, and one use of the quota', async () => {
    await post({ wish: 'failed' });
    await post({ wish: 'failed', retry: 1 });
    await post({ wish: 'failed', retry: 2 });
    expect([new Set(ids()).size, ids()[0]]).toEqual([1, expect.any(String)]);
    expect(await ended(3)).toEqual([
      [503, true],
      [503, false],
      [503, false],
    ]);
  });
  it('is the same request while the first is in progress, after its client has left', async () => {
    const leaving = new AbortController();
    const first = post({ wish: 'wait', signal: leaving.signal }).catch(() => null);
    await waitFor(() => ids().length === 1);
    leaving.abort();
    await first;
    expect(await ended(1)).toEqual([[200, true]]);
    const second = post({ wish: 'wait', retry: 1 });
    await waitFor(() => ids().length === 2);
    under.inference.server.emit('go on');
    expect((await second).status).toBe(200);
    expect(new Set(ids()).size).toBe(1);
    expect(await ended(2)).toEqual([
      [200, true],
      [200, false],
    ]);
  });
  it("is a new request if its first attempt was throttled and another caller's identical request is or was being answered", async () => {
    const others = post({ wish: 'wait' });
    await waitFor(() => ids().length === 1);
    under.limits.refusal = refuse('limited', 'throttled', 'Too many requests.');
    expect((await post({ wish: 'wait' })).status).toBe(429);
    under.limits.refusal = null;
    const repeat = post({ wish: 'wait', retry: 1 });
    await waitFor(() => ids().length === 2);
    under.inference.server.emit('go on');
    expect([(await others).status, (await repeat).status]).toEqual([200, 200]);
    expect(await ended(2)).toEqual([
      [200, true],
      [200, true],
    ]);
    const late = post({ wish: 'wait', retry: 1 });
    await waitFor(() => ids().length === 3);
    under.inference.server.emit('go on');
    expect((await late).status).toBe(200);
    expect(new Set(ids()).size).toBe(3);
  });
  it('is the same request with one Idempotency-Key, even if it fails', async () => {
    for (let index = 0; index < 3; index++) await post({ wish: 'failed', idempotencyKey: value });
    expect(new Set(ids()).size).toBe(1);
    expect((await ended(3)).filter(([, mayBeUse]) => mayBeUse)).toHaveLength(1);
  });
  it('uses the quota if the first one was refused', async () => {
    await post({ wish: 'refused' });
    await post({ wish: 'refused', retry: 1 });
    expect(await ended(2)).toEqual([
      [400, true],
      [400, true],
    ]);
  });
  it('is answered even if the first one used up the quota', async () => {
    await post({ wish: 'failed' });
    await ended(1);
    under.limits.quotaRefusal = refuse('limited', 'quota_exceeded', 'It is used up.');
    expect((await post({ wish: 'failed', retry: 1 })).text).toContain('recorded_not_visible');
    for (const other of [{ wish: 'failed' }, { wish: 'refused', retry: 1 }]) expect((await post(other)).text).toContain('quota_exceeded');
    expect(ids()).toHaveLength(2);
  });

  it('is charged once if two repeats arrive together and their key has to be read again', async () => {
    const { keyId, value: key } = under.publications.createKey(apiId);
    await post({ wish: 'failed', key });
    await ended(1);
    under.limits.quotaRefusal = refuse('limited', 'quota_exceeded', 'It is used up.');
    const looks = jest.spyOn(under.edge.app.get(ClientRepeats), 'isPaidFor');
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = under.limits.admitted.length;
    const repeats = [1, 2].map(() => slowly({ wish: 'failed', retry: 1, key }));
    await waitFor(() => under.limits.admitted.length === before + 2);
    under.publications.keysAnswer = promise;
    await under.publications.changeKey(keyId, {});
    for (const { finish } of repeats) finish();
    await waitFor(() => looks.mock.calls.length === 2);
    resolve();
    const codes = await Promise.all(repeats.map(({ answer }) => answer));
    expect(codes.toSorted()).toEqual(['quota_exceeded', 'recorded_not_visible']);
    expect(ids()).toHaveLength(2);
  });
  it('starts new work only within the quota, if the first one with its Idempotency-Key was refused while it waited', async () => {
    const sent = { wish: 'wait and refuse', idempotencyKey: value };
    const first = post(sent);
    await waitFor(() => ids().length === 1);
    under.limits.quotaRefusal = refuse('limited', 'quota_exceeded', 'It is used up.');
    const looks = jest.spyOn(under.edge.app.get(ClientRepeats), 'isPaidFor');
    const second = post(sent);
    await waitFor(() => looks.mock.calls.length === 1);
    under.inference.server.emit('go on');
    expect([(await first).status, (await second).text]).toEqual([400, expect.stringContaining('quota_exceeded')]);
    expect(ids()).toHaveLength(1);
    // The key of the request stays free for another try.
    under.limits.quotaRefusal = null;
    expect((await post(sent)).status).toBe(400);
    expect([ids().length, new Set(ids()).size]).toEqual([2, 1]);
  });
  it('does not replace the first request as the use of the quota if it ends earlier', async () => {
    const sent = { wish: 'stream', idempotencyKey: value };
    const first = post(sent);
    await waitFor(() => ids().length === 1);
    under.limits.quotaRefusal = refuse('limited', 'quota_exceeded', 'It is used up.');
    const leaving = new AbortController();
    const second = post({ ...sent, signal: leaving.signal }).catch(() => null);
    await waitFor(() => ids().length === 2);
    leaving.abort();
    await second;
    expect(await ended(1)).toEqual([[200, false]]);
    under.inference.server.emit('go on');
    expect((await first).status).toBe(200);
    expect(await ended(2)).toEqual([
      [200, false],
      [200, true],
    ]);
  });

  it.each<[string, () => Sent]>([
    ['that is sent again by the application', () => ({})],
    ['with another body', () => ({ wish: 'x', retry: 1 })],
    ['with another key', () => ({ key: under.publications.createKey(apiId).value, retry: 1 })],
    ['to another address', () => ({ below: '/v1/chat/completions?x=1', retry: 1 })],
    ['with an invalid count', () => ({ retry: -1 })],
  ])('is a different request from one %s', async (_name, other) => {
    await post();
    await post(other());
    expect(new Set(ids()).size).toBe(2);
    expect(await ended(2)).toEqual([
      [200, true],
      [200, true],
    ]);
  });
  it('is a different request from an earlier one when two identical ones have failed', async () => {
    for (const retry of [0, 0, 1, 1]) await post({ wish: 'failed', retry });
    expect(new Set(ids()).size).toBe(2);
    expect(new Set(ids().slice(2)).size).toBe(2);
  });
  it('is a new request a minute later, and the first one is forgotten', async () => {
    await post();
    await ended(1);
    under.edge.later(61_000);
    under.edge.app.get(RecentRequests).forgetOld();
    expect(under.edge.app.get(RecentRequests).size).toBe(0);
    await post({ retry: 1 });
    expect(new Set(ids()).size).toBe(2);
  });
  it('is refused if the key has been revoked', async () => {
    const { keyId, value: key } = under.publications.createKey(apiId);
    await post({ key });
    await under.publications.revokeKey(keyId);
    expect((await post({ key, retry: 1 })).status).toBe(401);
    expect(ids()).toHaveLength(1);
  });
  it('leaves nothing in memory for an unknown caller', async () => {
    const before = under.edge.app.get(RecentRequests).size;
    expect((await post({ key: 'prl_x' })).status).toBe(401);
    expect(under.edge.app.get(RecentRequests).size).toBe(before);
  });
});
