import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { WriteUnconfirmed } from '@parlance/event-store';
import { StoreUnavailable } from '@parlance/object-store';
import { WriteFailed } from '@parlance/sqlite';
import { MongoBulkWriteError, MongoNetworkError, MongoServerError } from 'mongodb';
import { isTransient } from './transient.ts';

const reset = new MongoNetworkError('it is away');
const confirmed = { getWriteConcernError: () => undefined } as never;

describe('transient failures', () => {
  it.each([
    ['a dependency that is down', refuse('unavailable', 'service_unavailable', 'Try again.')],
    ['a disk that is full', new WriteFailed('database or disk is full', 13)],
    ['a database that is killed during a write', new MongoBulkWriteError(reset as never, confirmed)],
    ['a write that the database has not confirmed', new WriteUnconfirmed(reset)],
    ['a database in an election', new MongoServerError({ code: 10_107 })],
    ['an object store that does not answer', new StoreUnavailable('no answer in 4000 ms')],
    ['one of several', new AggregateError([new Error('x'), reset])],
  ])('include %s', (_, error) => expect(isTransient(error)).toBe(true));

  it.each([
    ['a conflict with the state', refuse('conflict', 'bot_pinned', 'It is pinned.')],
    ['a duplicate key', new MongoServerError({ code: 11_000 })],
    ['a mistake in a handler', new TypeError('undefined is not a function')],
    ['a value that is not an error', 'oops'],
  ])('exclude %s', (_, error) => expect(isTransient(error)).toBe(false));
});
