import { describe, expect, it } from '@jest/globals';
import { HttpException } from '@nestjs/common';
import { type Decider, Instant, refuse, UnknownEvent } from '@parlance/decider';
import { type EventStore, execute, VersionConflict, WriteUnconfirmed } from '@parlance/event-store';
import { StoreUnavailable } from '@parlance/object-store';
import { WriteFailed } from '@parlance/sqlite';
import { MongoBulkWriteError, MongoNetworkError, MongoServerSelectionError } from 'mongodb';
import { problemOf } from './problem.ts';

const reset = new MongoNetworkError('10.0.0.7:27017 is away');

describe('an error as a problem', () => {
  it.each([
    ['a full disk', new WriteFailed('database or disk is full', 13)],
    ['an unreachable database', new MongoServerSelectionError('10.0.0.7:27017 is away', {} as never)],
    ['a database that is killed during a write', new MongoBulkWriteError(reset as never, {} as never)],
  ])('answers %s with 503 and Retry-After, without internal details', (_, error) => {
    const { status, headers, body } = problemOf(error, 'r1');
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'dependency_unavailable', '5']);
    expect(JSON.stringify(body)).not.toMatch(/full|27017|Mongo/);
  });
  it('answers that the object store does not answer', () => {
    const { status, headers, body, unforeseen } = problemOf(new StoreUnavailable(new Error('10.0.0.7:7070 is away')), 'r1');
    expect([status, body.code, headers['retry-after'], unforeseen]).toEqual([503, 'object_store_unavailable', '5', false]);
    expect(JSON.stringify(body)).not.toContain('7070');
  });
  it('answers that the outcome of a write is unknown that the database has not confirmed', () => {
    const { status, headers, body, unforeseen } = problemOf(new WriteUnconfirmed(reset), 'r1');
    expect([status, body.code, headers['x-should-retry'], unforeseen]).toEqual([503, 'outcome_unknown', 'false', false]);
    expect(JSON.stringify(body)).not.toMatch(/27017|Mongo/);
  });
  it.each([
    [refuse('unavailable', 'busy', 'There is too much work now.'), 'true'],
    [refuse('limited', 'throttled', 'Too many requests.'), 'true'],
    [refuse('limited', 'budget_exceeded', 'The budget is used up.'), 'false'],
    [refuse('limited', 'quota_exceeded', 'The quota is used up.'), 'false'],
    [refuse('unavailable', 'recorded_not_visible', 'It was recorded.'), 'false'],
    [refuse('conflict', 'idempotency_key_reused', 'The key was used.'), 'false'],
    [refuse('conflict', 'bot_pinned', 'The bot is pinned.'), 'false'],
    [refuse('conflict', 'reply_in_progress', 'The reply is being written.'), undefined],
    [refuse('conflict', 'version_conflict', 'It was changed meanwhile.'), undefined],
  ])('says whether a client should repeat the request: %s', (refusal, repeated) =>
    expect(problemOf(refusal).headers['x-should-retry']).toBe(repeated),
  );
  it('answers 503 for a resource with changes of a newer release', () => {
    const { status, headers, body, unforeseen } = problemOf(new UnknownEvent('BotFrozen'), 'r1');
    expect([status, body.code, headers['retry-after'], unforeseen]).toEqual([503, 'newer_release', '30', false]);
    expect(JSON.stringify(body)).not.toContain('BotFrozen');
  });
  it('does not name the stream of a version conflict', async () => {
    const metadata = {
      at: Instant.ofMillis(0),
      actor: null,
      ip: null,
      userAgent: null,
      requestId: 'r',
      correlationId: 'r',
      causationId: null,
    };
    const store = {
      read: async () => ({ commits: [], more: false }),
      append: async () => Promise.reject(new VersionConflict('user-01K1', 0)),
    } as unknown as EventStore;
    const counter: Decider<object, { type: 'Counted' }, object> = {
      initialState: {},
      decide: () => [{ type: 'Counted' }],
      evolve: (state) => state,
    };
    const busy = await execute(store, counter, { stream: 'user-01K1', command: {}, metadata, attempts: 1 }).catch(
      (error: unknown) => error,
    );
    const { status, headers, body } = problemOf(busy, 'r1');
    expect([status, body.code, Number(headers['retry-after']) > 0]).toEqual([503, 'stream_busy', true]);
    expect(JSON.stringify(body)).not.toMatch(/user-|01K1|attempt/);
    expect(body.detail).toMatch(/^[A-Z].*\.$/);
  });
  it('answers an unexpected error with 500, without its message', () => {
    const { status, body, unforeseen } = problemOf(new TypeError('secret is undefined'), 'r1');
    expect([status, body.code, unforeseen]).toEqual([500, 'internal_error', true]);
    expect(JSON.stringify(body)).not.toMatch(/secret/);
  });
  it.each([500, 501, 599])("answers Nest's error with status %i with 500, and logs it", (thrown) => {
    const { status, body, unforeseen } = problemOf(new HttpException('secret', thrown), 'r1');
    expect([status, body.code, unforeseen]).toEqual([500, 'internal_error', true]);
  });
  it.each([
    ['a refusal', refuse('invalid', 'invalid_cursor', 'The cursor is of another list.'), 'The cursor is of another list.'],
    ['a request that is not HTTP', { statusCode: 400 }, 'The request is malformed.'],
    ['a body that Fastify refuses', { code: 'FST_ERR_CTP_INVALID_JSON_BODY' }, 'The body is not JSON that this route accepts.'],
  ])('lists the errors of every 400: %s', (_, error, message) =>
    expect(problemOf(error).body).toMatchObject({ status: 400, detail: message, errors: [{ path: '', message }] }),
  );
  it('has a list of errors only with 400', () => {
    const conflict = refuse('conflict', 'taken', 'It is taken.', { errors: [{ path: 'a', message: 'b' }] });
    expect(problemOf(conflict).body).not.toHaveProperty('errors');
  });
  it('sends Retry-After with an exceeded limit', () => {
    expect(problemOf(refuse('limited', 'throttled', 'Too many requests.', { retry_after: 1.2 })).headers['retry-after']).toBe('2');
  });
});
