import { expect, it } from '@jest/globals';
import { UnsuitableServer } from '@parlance/event-store';
import { MongoServerError } from 'mongodb';
import { oneLine } from './one-line.ts';

it.each([
  ['a database that cannot be used', new UnsuitableServer('a replica set is required'), 'mongoUri: a replica set is required'],
  [
    'a database in an election',
    new MongoServerError({ code: 10_107 }),
    'the database cannot be reached: check that it runs, and check mongoUri',
  ],
  ['a mistake in the program', new TypeError('undefined is not a function'), null],
])('the message for %s', (_, error, message) => expect(oneLine(error, null)).toBe(message));
