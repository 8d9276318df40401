import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { RepeatsInTurn } from '../src/http/idempotency/repeats-in-turn.ts';
import { type PublishedUnderTest, publishedEdge } from './published/published-rig.ts';

const REPEATS = 40;

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('requests with one Idempotency-Key to a published bot at the same time, %s,', (_, overHttp) => {
  let under: PublishedUnderTest;
  let apiId: string;
  let value: string;
  let keys = 0;
  let key: string;
  beforeAll(async () => {
    under = await publishedEdge({ overHttp });
    apiId = under.publications.publish();
    ({ value } = under.publications.createKey(apiId));
  });
  afterAll(() => under.edge.stop());
  beforeEach(() => {
    key = `key-${++keys}`;
    under.limits.ended.length = 0;
    under.inference.served = 0;
  });

  const post = async (below: string, body: object, signal: AbortSignal | null = null) => {
    const headers = { 'x-api-key': value, 'content-type': 'application/json', 'idempotency-key': key };
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal };
    const answer = await fetch(`${under.edge.url}/published/${apiId}/api${below}`, init);
    return { status: answer.status, replayed: answer.headers.get('idempotent-replayed') === 'true', text: await answer.text() };
  };
  const goOn = () => under.inference.server.emit('go on');
  /** Waits until all of the requests have passed the limits. */
  const admitted = (before: number, count: number) => waitFor(() => under.limits.admitted.length === before + count);

  it.each(['/conversation', '/v1/chat/completions'])('reach the service once and use the quota once: %s', async (below) => {
    const before = under.limits.admitted.length;
    const asking = Array.from({ length: REPEATS }, () => post(below, { bot_title: 'wait' }));
    await admitted(before, REPEATS);
    await waitFor(() => under.inference.served === 1);
    goOn();
    const answers = await Promise.all(asking);
    expect(under.inference.served).toBe(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    await waitFor(() => under.limits.ended.length === REPEATS);
    // A request that reached no service returns its use of the quota.
    expect(under.limits.ended.filter(([, hasReachedService]) => hasReachedService)).toHaveLength(1);
  });
  it('are each forwarded after a refusal, because refusals are not remembered', async () => {
    const answers = await Promise.all(Array.from({ length: 3 }, () => post('/conversation', { bot_title: 'refused' })));
    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual(Array.from({ length: 3 }, () => [400, false]));
    expect(under.inference.served).toBe(3);
  });
  it('wait for the first one, even after the client between them left', async () => {
    const before = under.limits.admitted.length;
    const first = post('/conversation', { bot_title: 'wait' });
    await admitted(before, 1);
    await waitFor(() => under.inference.served === 1);
    const leaving = new AbortController();
    const second = post('/conversation', { bot_title: 'wait' }, leaving.signal).catch(() => null);
    await admitted(before, 2);
    const third = post('/conversation', { bot_title: 'wait' });
    await admitted(before, 3);
    leaving.abort();
    expect(await second).toBeNull();
    await waitFor(() => under.limits.ended.length === 1);
    goOn();
    expect([(await first).replayed, (await third).replayed, under.inference.served]).toEqual([false, true, 1]);
  });
  it('do not wait for a stream to end', async () => {
    const streams = [post('/v1/chat/completions', { bot_title: 'stream' }), post('/v1/chat/completions', { bot_title: 'stream' })];
    await waitFor(() => under.inference.served === 2);
    goOn();
    for (const { text } of await Promise.all(streams)) expect(text).toContain('data: 2');
  });
  it('leave nothing in memory', async () => {
    await waitFor(() => under.edge.app.get(RepeatsInTurn).size === 0);
  });
});
