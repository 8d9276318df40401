import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { WriteFailed } from '@parlance/sqlite';
import { isTransient } from './transient.ts';

const named = (name: string) => Object.assign(new Error('it is away'), { name });

describe('transient failures', () => {
  it.each([
    ['a dependency that is down', refuse('unavailable', 'service_unavailable', 'Try again.')],
    ['a disk that is full', new WriteFailed('database or disk is full', 13)],
    ['an unreachable database', named('MongoServerSelectionError')],
    ['one of several', new AggregateError([new Error('x'), named('MongoNetworkError')])],
  ])('include %s', (_, error) => expect(isTransient(error)).toBe(true));

  it.each([
    ['a conflict with the state', refuse('conflict', 'bot_pinned', 'It is pinned.')],
    ['a mistake in a handler', new TypeError('undefined is not a function')],
    ['a value that is not an error', 'oops'],
  ])('exclude %s', (_, error) => expect(isTransient(error)).toBe(false));
});
