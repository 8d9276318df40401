import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { Clock } from '@parlance/foundation';
import { patience, waitFor } from '@parlance/testing';
import { PublicationRevocationWatcher } from '../../src/adapters/publication-revocation-watcher.ts';
import { PublishedAccess } from '../../src/http/published/published-access.ts';
import { PublishedStreams } from '../../src/http/published/published-streams.ts';
import { raw } from '../raw.ts';
import { type PublishedUnderTest, publishedEdge } from './published-rig.ts';

const json = { 'content-type': 'application/json' };

/** Ways to end the right to call a published bot, and the refusal of requests after that. */
const ENDS: readonly (readonly [
  name: string,
  code: string,
  end: (under: PublishedUnderTest, its: { apiId: string; keyId: string }) => Promise<void>,
])[] = [
  ['the key is revoked', 'invalid_api_key', ({ publications }, { keyId }) => publications.revokeKey(keyId)],
  ['the key is disabled', 'invalid_api_key', ({ publications }, { keyId }) => publications.changeKey(keyId, { enabled: false })],
  ['the key expires', 'invalid_api_key', ({ publications }, { keyId }) => publications.changeKey(keyId, { expires_at: 1 })],
  ['the publication is removed', 'not_published', ({ publications }, { apiId }) => publications.unpublish(apiId)],
  ['its owner is disabled', 'not_published', ({ identity }, { apiId }) => identity.revoke(`user:owner-${apiId}`)],
];

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('a published bot, %s,', (_, overHttp) => {
  let under: PublishedUnderTest;
  beforeAll(async () => {
    under = await publishedEdge({ overHttp });
  });
  afterAll(() => under.edge.stop());

  const published = () => {
    const apiId = under.publications.publish();
    const { keyId, value } = under.publications.createKey(apiId);
    const path = `/published/${apiId}/api/conversation`;
    const ask = async (headers: Record<string, string> = {}) => {
      const { status, code } = await raw(under.edge.url, `${path}/c1`, { headers: { 'x-api-key': value, ...headers } });
      return code ?? status;
    };
    return { apiId, keyId, value, path, ask };
  };

  it.each(ENDS)('serves no requests once %s', async (__, code, end) => {
    for (let round = 0; round < 10; round++) {
      const bot = published();
      expect(await bot.ask()).toBe(200);
      await end(under, bot);
      expect(await bot.ask()).toBe(code);
    }
  });
  it.each(ENDS)('serves no request whose body was in transit when %s', async (__, code, end) => {
    const bot = published();
    const access = under.edge.app.get(PublishedAccess);
    const { promise: accepted, resolve } = Promise.withResolvers<void>();
    const keyOf = access.keyOf.bind(access);
    access.keyOf = (...given) => keyOf(...given).finally(resolve);
    const { hostname, port } = new URL(under.edge.url);
    const sent = httpRequest({
      hostname,
      port,
      path: bot.path,
      method: 'POST',
      headers: { 'x-api-key': bot.value, ...json, 'idempotency-key': 'one' },
      agent: false,
    });
    sent.flushHeaders();
    sent.write('{"bot_title":');
    await accepted;
    access.keyOf = keyOf;
    const { served } = under.inference;
    await end(under, bot);
    sent.end('"x"}');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect([(JSON.parse(await text(answer)) as { code: string }).code, under.inference.served]).toEqual([code, served]);
  });
  /** The answer to a request for a stream, and its first event. */
  const streamOf = async (
    { apiId, value }: ReturnType<typeof published>,
    { method = 'POST', below = 'v1/chat/completions', body = {} }: { method?: string; below?: string; body?: object } = {},
  ) => {
    const { hostname, port } = new URL(under.edge.url);
    const headers = { 'x-api-key': value, ...json };
    const path = `/published/${apiId}/api/${below}`;
    const sent = httpRequest({ hostname, port, path, method, headers, agent: false });
    sent.end(method === 'POST' ? JSON.stringify({ bot_title: 'stream', ...body }) : undefined);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(String(first)).toBe('data: 1\n\n');
    return answer;
  };
  /** The only event that follows when the right to a stream ends. */
  const lastEventOf = async (answer: IncomingMessage, end: () => Promise<void>) => {
    const parts: string[] = [];
    answer.on('data', (part: Buffer) => parts.push(String(part)));
    const broken = once(answer, 'error');
    await end();
    await broken;
    under.inference.server.emit('go on');
    const [event, ...rest] = parts
      .join('')
      .split('\n')
      .filter((line) => line !== '');
    expect([rest.length, answer.complete]).toEqual([1, false]);
    return { event, data: JSON.parse(rest[0]!.slice('data: '.length)) as object };
  };
  it.each(ENDS)('ends a stream with an error event when %s', async (__, code, end) => {
    const bot = published();
    const { event, data } = await lastEventOf(await streamOf(bot), () => end(under, bot));
    const error = { code, message: expect.any(String), param: null, type: expect.any(String) };
    expect([event, data]).toEqual(['event: error', { ...error, type: 'error', sequence_number: 0, error }]);
  });
  it.each(ENDS)('answers a request of MCP with an error when %s', async (__, code, end) => {
    const bot = published();
    const body = { jsonrpc: '2.0', id: 'ask 1', method: 'tools/call' };
    const answer = await streamOf(bot, { below: 'mcp', body });
    const { event, data } = await lastEventOf(answer, () => end(under, bot));
    const error = { code: expect.any(Number), message: expect.any(String), data: { code } };
    expect([event, data]).toEqual(['event: message', { jsonrpc: '2.0', id: 'ask 1', error }]);
  });
  it('ends a stream when its key expires', async () => {
    const bot = published();
    const now = under.edge.app.get(Clock).now();
    const expiresAt = Math.ceil(now / 1_000) + 2;
    await under.publications.changeKey(bot.keyId, { expires_at: expiresAt });
    // This is enough to open the stream even on a busy machine.
    const left = 1_200;
    under.edge.later(expiresAt * 1_000 - left - now);
    const answer = await streamOf(bot);
    await once(answer, 'error', { signal: AbortSignal.timeout(patience(30_000)) });
    expect([answer.complete, await bot.ask()]).toEqual([false, 'invalid_api_key']);
  });
  it.each(ENDS)('ends a stream that a client follows with a known key when %s', async (__, ___, end) => {
    const bot = published();
    // Now the edge knows the bot and the key, so the next request takes the fast path.
    expect(await bot.ask()).toBe(200);
    const answer = await streamOf(bot, { method: 'GET', below: 'conversation/c1/stream' });
    const broken = once(answer, 'error');
    await end(under, bot);
    await broken;
    expect(answer.complete).toBe(false);
  });
  it('continues a stream when only its terms change, and ends it when its key is revoked later', async () => {
    const [one, other] = [published(), published()];
    const [kept, ended] = [await streamOf(one), await streamOf(other)];
    const broken = once(ended, 'error');
    for (const { apiId, keyId } of [one, other]) {
      await under.publications.change(apiId, { allowed_origins: ['https://shop.example.org'] });
      await under.publications.changeKey(keyId, { allowed_ip_ranges: ['127.0.0.0/8', '::1/128'] });
    }
    await under.publications.revokeKey(other.keyId);
    await broken;
    const last = once(kept, 'data');
    under.inference.server.emit('go on');
    expect(String((await last)[0])).toBe('data: 2\n\n');
    await waitFor(() => under.edge.app.get(PublishedStreams).size === 0);
  });
  it('serves again when its owner is enabled', async () => {
    const { apiId, ask } = published();
    await under.identity.revoke(`user:owner-${apiId}`);
    expect(await ask()).toBe('not_published');
    await under.identity.lift(`user:owner-${apiId}`);
    expect(await ask()).toBe(200);
  });
  it('has its new terms once the change is answered', async () => {
    const { apiId, ask } = published();
    await ask();
    await under.publications.change(apiId, { throttle: { rate_limit: 7, burst_limit: 8 }, allowed_origins: ['https://shop.example.org'] });
    expect(await ask({ origin: 'https://other.example.org' })).toBe(200);
    expect(under.limits.admitted.at(-1)?.throttle).toEqual({ rate_limit: 7, burst_limit: 8 });
  });
  it('is requested from the publication service once, even by concurrent requests', async () => {
    const { ask } = published();
    const before = under.publications.asked;
    await Promise.all([ask(), ask(), ask()]);
    await ask();
    expect(under.publications.asked - before).toBe(2);
  });
  it('is not remembered as unknown when it is deployed', async () => {
    const apiId = newId().toLowerCase();
    const ask = async () => (await raw(under.edge.url, `/published/${apiId}/api/x`)).code;
    const before = under.publications.asked;
    expect([await ask(), await ask(), under.publications.asked - before]).toEqual(['not_published', 'not_published', 1]);
    await under.publications.revoking.revoke(`address:${apiId}`);
    expect(await ask()).toBe('not_published');
    under.publications.publish({}, apiId);
    expect(await ask()).toBe('invalid_api_key');
  });
  it('replays a remembered answer to the key that got it first, while the key is valid', async () => {
    const { apiId, keyId, value, path } = published();
    const other = under.publications.createKey(apiId);
    const post = async (key: string) => {
      const answer = await raw(under.edge.url, path, {
        method: 'POST',
        headers: { 'x-api-key': key, ...json, 'idempotency-key': 'k' },
        body: '{}',
      });
      return { ...(JSON.parse(answer.body) as { count?: number; code?: string }), replayed: answer.headers['idempotent-replayed'] };
    };
    const first = await post(value);
    expect(await post(value)).toMatchObject({ count: first.count, replayed: 'true' });
    await waitFor(() => under.limits.ended.at(-1)?.[1] === false);
    expect((await post(other.value)).count).not.toBe(first.count);
    await under.publications.revokeKey(keyId);
    expect(await post(value)).toMatchObject({ code: 'invalid_api_key', replayed: undefined });
  });
});

describe('an edge that loses the publication service', () => {
  let under: PublishedUnderTest;
  beforeAll(async () => {
    under = await publishedEdge();
  });
  afterAll(() => under.edge.stop());

  it('serves what it knows for certain, then refuses with a time to retry, and recovers with the service', async () => {
    const apiId = under.publications.publish();
    const { value } = under.publications.createKey(apiId);
    const ask = (key = value) => raw(under.edge.url, `/published/${apiId}/api/conversation/c1`, { headers: { 'x-api-key': key } });
    const watcher = under.edge.app.get(PublicationRevocationWatcher);
    expect((await ask()).status).toBe(200);
    under.edge.host.local.leave('publication');
    const unknown = await ask(under.publications.createKey(apiId).value);
    expect([unknown.status, unknown.code]).toEqual([503, 'service_unavailable']);
    under.edge.later(2_000);
    await waitFor(() => !watcher.isFresh);
    const answer = await ask();
    expect([answer.status, answer.code, Number(answer.headers['retry-after']) > 0]).toEqual([503, 'service_unavailable', true]);
    await under.edge.host.local.enter('publication', under.publications.service);
    await waitFor(() => watcher.isFresh);
    expect((await ask()).status).toBe(200);
  });
});
