import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { WriteFailed } from '@parlance/sqlite';
import { passes } from './passing.ts';

const named = (name: string) => Object.assign(new Error('it is away'), { name });

describe('what passes by itself', () => {
  it.each([
    ['a dependency that is down', refuse('unavailable', 'service_unavailable', 'Try again.')],
    ['a disk that is full', new WriteFailed('database or disk is full', 13)],
    ['a database that is away', named('MongoServerSelectionError')],
    ['one of several', new AggregateError([new Error('x'), named('MongoNetworkError')])],
  ])('is %s', (_, error) => expect(passes(error)).toBe(true));

  it.each([
    ['what the state forbids', refuse('conflict', 'bot_pinned', 'It is pinned.')],
    ['a mistake in a handler', new TypeError('undefined is not a function')],
    ['what is no error', 'oops'],
  ])('is not %s', (_, error) => expect(passes(error)).toBe(false));
});
