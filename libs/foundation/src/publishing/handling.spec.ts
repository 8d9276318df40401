import { expect, it } from '@jest/globals';
import { type Delivery, NotNow, type Report } from '@parlance/messaging';
import { StoreUnavailable } from '@parlance/object-store';
import { openTracing } from '@parlance/observability';
import { MongoBulkWriteError, MongoNetworkError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import { ObjectStoreDown } from '../health/object-store-health.ts';
import { handlingOf } from './handling.ts';

const delivery = {
  event: { id: 'e1', type: 'parlance.bots.bot.created.v1', subject: 'b1', source: 'bots' },
  attempt: 1,
} as unknown as Delivery;

const failureOf = async (error: unknown, onWait: Report = () => undefined) => {
  const handle = handlingOf((await openTracing(null)).for('bots'), onWait);
  return handle(delivery, () => Promise.reject(error)).catch((failure: unknown) => failure);
};

it.each<[string, Error]>([
  ['is killed during a write', new MongoBulkWriteError(new MongoNetworkError('closed') as never, {} as never)],
  ['elects a primary', new MongoServerError({ code: 10_107 })],
  ['has no majority', new MongoWriteConcernError({ ok: 1, writeConcernError: { code: 64, errmsg: 'timed out' } })],
  ['has lost a cursor', new MongoServerError({ code: 43 })],
])('a delivery does not count as failed when the database %s', async (_, error) => expect(await failureOf(error)).toBeInstanceOf(NotNow));

it.each<[string, Error]>([
  ['does not answer', new StoreUnavailable('no answer in 4000 ms')],
  ['is known to be down', new ObjectStoreDown('no answer in 1000 ms')],
  ['fails during one step of an erasure', new AggregateError([new Error('x'), new StoreUnavailable('no answer in 4000 ms')])],
])('a delivery waits, and this is reported, when the object store %s', async (_, error) => {
  const lines: unknown[] = [];
  expect(await failureOf(error, (message, details) => lines.push([message, details]))).toBeInstanceOf(NotNow);
  const details = { event: delivery.event.type, id: 'e1', attempt: 1, err: error };
  expect(lines).toEqual([['an event waits until a dependency is available', details]]);
});

it('a delivery counts as failed when its handler has a mistake', async () => {
  const mistake = new TypeError('undefined is not a function');
  expect(await failureOf(mistake)).toBe(mistake);
});
