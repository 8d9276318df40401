import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Parlance, ParlanceError } from '../src/index.ts';
import { noPauses } from './no-pauses.ts';
import { json, problem, type ScriptedServer, scriptedServer } from './scripted-server.ts';

const pauses = noPauses();
let server: ScriptedServer;
let client: Parlance;
beforeEach(async () => {
  server = await scriptedServer();
  client = new Parlance({ baseUrl: server.url, accessToken: 'token' });
});
afterEach(() => server.stop());

const refusalOf = async (asked: Promise<unknown>): Promise<ParlanceError> => {
  const error = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ParlanceError);
  return error as ParlanceError;
};

describe('a request', () => {
  it('has the token, the query and the body, and each parameter as one segment of the path', async () => {
    server.script = (_, answer) => json(answer, 200, { results: [], next_token: null });
    await client.bots.share('a/b', { target_shared_scope: 'all' });
    const noLimit = { limit: undefined } as unknown as { limit: number };
    await client.api.get('/user/search', { query: { prefix: 'Ä &', ...noLimit } });
    const [share, search] = server.received;
    expect([share?.path, share?.headers.authorization, share?.body]).toEqual([
      '/bot/a%2Fb/visibility',
      'Bearer token',
      '{"target_shared_scope":"all"}',
    ]);
    expect(search?.path).toBe('/user/search?prefix=%C3%84+%26');
    expect([share, search].map((request) => request?.headers['content-type'])).toEqual(['application/json', undefined]);
  });
  it('is sent again after 503 and 429, after the requested pause', async () => {
    server.script = (_, answer, requestNumber) => {
      if (requestNumber === 1) problem(answer, 503, 'service_unavailable', { 'retry-after': '1' });
      else if (requestNumber === 2) problem(answer, 429, 'too_many_requests', { 'retry-after': '0' });
      else json(answer, 200, { user_id: 'u' });
    };
    expect(await client.me()).toEqual({ user_id: 'u' });
    expect(server.received).toHaveLength(3);
    expect(pauses).toEqual([1_000, expect.any(Number)]);
  });
  it.each([
    [429, 'too_many_requests', '60'],
    [429, 'quota_exceeded', '1'],
    [503, 'recorded_not_visible', '1'],
    [409, 'bot_published', '1'],
  ])('is not sent again after %d %s with Retry-After: %s', async (status, code, seconds) => {
    server.script = (_, answer) => problem(answer, status, code, { 'retry-after': seconds });
    const error = await refusalOf(client.me());
    expect([error.status, error.code, error.retryAfter, error.requestId]).toEqual([status, code, Number(seconds), 'r1']);
    expect(server.received).toHaveLength(1);
  });
  it('fails after four attempts', async () => {
    server.script = (_, answer) => problem(answer, 503, 'service_unavailable');
    expect((await refusalOf(client.me())).code).toBe('service_unavailable');
    expect(server.received).toHaveLength(4);
  });
  it('that creates something is repeated with the same key if its answer is lost', async () => {
    server.script = (_, answer, requestNumber) => (requestNumber < 3 ? answer.destroy() : json(answer, 201, { id: 'b' }));
    expect(await client.bots.create({ title: 'Guide' })).toEqual({ id: 'b' });
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([3, 1, 'string']);
    await client.bots.create({ title: 'Other' });
    expect(server.received.at(-1)?.headers['idempotency-key']).not.toBe(keys[0]);
  });
  it('that changes something is not repeated if its answer is lost', async () => {
    server.script = (_, answer) => answer.destroy();
    const error = await refusalOf(client.bots.change('b', { title: 'Guide' }));
    expect([error.code, error.status]).toEqual(['connection_failed', 0]);
    expect(server.received).toHaveLength(1);
  });
  it('may be conditional on one version of a resource', async () => {
    server.script = (_, answer) => json(answer, 200, { id: 'b' }, { etag: '"2"' });
    const { etag } = await client.api.request('get', '/bot/{botId}', { path: { botId: 'b' } });
    await client.bots.change('b', { title: 'Guide' }, { ifMatch: etag! });
    expect(server.received.at(-1)?.headers['if-match']).toBe('"2"');
  });
  it('rejects with the reason of its aborted signal', async () => {
    const abort = new AbortController();
    server.script = () => abort.abort(new Error('left'));
    await expect(client.api.get('/bot', { signal: abort.signal })).rejects.toThrow('left');
    await expect(client.api.get('/bot', { signal: abort.signal })).rejects.toThrow('left');
    expect(server.received).toHaveLength(1);
  });
  it('times out if its answer takes too long', async () => {
    const impatient = new Parlance({ baseUrl: server.url, accessToken: 't', timeoutMillis: 50, retries: { attempts: 1 } });
    server.script = (_, answer) => answer.writeHead(200).write('{');
    expect((await refusalOf(impatient.me())).code).toBe('timed_out');
  });
});

describe('a refusal', () => {
  it('has errors by field', async () => {
    const errors = [{ path: 'title', message: 'must be a string' }];
    server.script = (_, answer) => json(answer, 400, { code: 'invalid_body', detail: 'The body is not valid.', errors, request_id: 'q' });
    const error = await refusalOf(client.bots.create({ title: '' }));
    expect([error.message, error.errors, error.requestId]).toEqual(['The body is not valid.', errors, 'q']);
  });
  it("is read in the form of OpenAI's API", async () => {
    server.script = (_, answer) => json(answer, 403, { error: { code: 'invalid_api_key', message: 'No.', type: 'x', param: null } });
    expect(await refusalOf(client.me())).toMatchObject({ code: 'invalid_api_key', message: 'No.', status: 403 });
  });
  it('names the budget that is used up', async () => {
    const budget = { scope: 'group', group: 'Sales', period: 'MONTH' };
    server.script = (_, answer) => json(answer, 429, { code: 'budget_exceeded', resets_at: 1_800_000_000, budget });
    expect(await refusalOf(client.me())).toMatchObject({ code: 'budget_exceeded', resetsAt: 1_800_000_000, budget });
  });
  it('may have a date for the next attempt, even in the past', async () => {
    server.script = (_, answer, requestNumber) => {
      const date = new Date(Date.now() + (requestNumber === 1 ? -60_000 : 3_600_000)).toUTCString();
      problem(answer, 429, 'quota_exceeded', { 'retry-after': date });
    };
    expect((await refusalOf(client.me())).retryAfter).toBe(0);
    expect((await refusalOf(client.me())).retryAfter).toBeGreaterThan(1_800);
  });
  it('may have an unreadable body', async () => {
    server.script = (_, answer) => answer.writeHead(418).end('<html>');
    expect(await refusalOf(client.me())).toMatchObject({ code: 'http_418', status: 418 });
  });
});

describe('a list', () => {
  it('is read page by page, as the items are consumed', async () => {
    const pages = [
      { conversations: [{ conversation_id: '1' }, { conversation_id: '2' }], next_token: 'two words' },
      { conversations: [], next_token: 'c' },
      { conversations: [{ conversation_id: '3' }], next_token: null },
    ];
    server.script = (_, answer, requestNumber) => json(answer, 200, pages[requestNumber - 1]);
    const ids: string[] = [];
    for await (const { conversation_id } of client.conversations.list()) {
      ids.push(conversation_id);
      expect(server.received).toHaveLength(conversation_id === '3' ? 3 : 1);
    }
    expect(ids).toEqual(['1', '2', '3']);
    expect(server.received.map(({ path }) => path)).toEqual([
      '/conversations',
      '/conversations?next_token=two+words',
      '/conversations?next_token=c',
    ]);
  });
});
