import { expect, it } from '@jest/globals';
import { type Delivery, NotNow } from '@parlance/messaging';
import { openTracing } from '@parlance/observability';
import { MongoBulkWriteError, MongoNetworkError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import { handlingOf } from './handling.ts';

const delivery = {
  event: { id: 'e1', type: 'parlance.bots.bot.created.v1', subject: 'b1', source: 'bots' },
  attempt: 1,
} as unknown as Delivery;

const failureOf = async (error: unknown) => {
  const handle = handlingOf((await openTracing(null)).for('bots'));
  return handle(delivery, () => Promise.reject(error)).catch((failure: unknown) => failure);
};

it.each<[string, Error]>([
  ['is killed during a write', new MongoBulkWriteError(new MongoNetworkError('closed') as never, {} as never)],
  ['elects a primary', new MongoServerError({ code: 10_107 })],
  ['has no majority', new MongoWriteConcernError({ ok: 1, writeConcernError: { code: 64, errmsg: 'timed out' } })],
  ['has lost a cursor', new MongoServerError({ code: 43 })],
])('a delivery does not count as failed when the database %s', async (_, error) => expect(await failureOf(error)).toBeInstanceOf(NotNow));

it('a delivery counts as failed when its handler has a mistake', async () => {
  const mistake = new TypeError('undefined is not a function');
  expect(await failureOf(mistake)).toBe(mistake);
});
