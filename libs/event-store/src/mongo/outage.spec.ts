import { describe, expect, it } from '@jest/globals';
import {
  MongoBulkWriteError,
  MongoClientBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoStalePrimaryError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';
// @ts-expect-error -- the driver publishes no types of these classes
import { PoolClearedError, PoolClearedOnNetworkError, PoolClosedError, WaitQueueTimeoutError } from 'mongodb/lib/cmap/errors.js';
import { isOutage } from './outage.ts';

const answered = (code: number, errorLabels: string[] = []) => new MongoServerError({ code, errmsg: 'refused', errorLabels });
const pool = { address: '10.0.0.7:27017', serverError: null } as never;
const confirmed = { getWriteConcernError: () => undefined } as never;
const unconfirmed = { getWriteConcernError: () => ({ code: 64, errmsg: 'waiting for replication timed out' }) } as never;
const duplicate = { index: 0, code: 11_000, errmsg: 'E11000 duplicate key' };
const bulk = (...writeErrors: object[]) => new MongoBulkWriteError({ message: 'bulk', code: 11_000, writeErrors } as never, confirmed);
const clientBulk = (more: object) => Object.assign(new MongoClientBulkWriteError({ message: 'bulk' }), more);
const labelled = (label: string) => {
  const error = new MongoError('marked');
  error.addErrorLabel(label);
  return error;
};

describe('an outage of the database', () => {
  it.each<[string, unknown]>([
    ['a broken connection', new MongoNetworkError('reset')],
    ['a connection that is too slow', new MongoNetworkTimeoutError('timed out')],
    ['no primary', new MongoServerSelectionError('no primary', {} as never)],
    ['a cleared pool', new PoolClearedError(pool)],
    ['a pool cleared by the monitor', new PoolClearedOnNetworkError(pool)],
    ['a closed pool', new PoolClosedError(pool)],
    ['no free connection', new WaitQueueTimeoutError('none is free', '10.0.0.7:27017')],
    ['an operation that takes too long', new MongoOperationTimeoutError('timed out')],
    ['a primary of an earlier term', new MongoStalePrimaryError('stale')],
    ['a server object that was closed', new MongoServerClosedError()],
    ['a topology that was closed', new MongoTopologyClosedError()],
    ['a client that was closed', new MongoClientClosedError()],
    ['a client without a connection', new MongoNotConnectedError('not connected')],
    ['a write that no majority confirms', new MongoWriteConcernError({ ok: 1, writeConcernError: { code: 64, errmsg: 'timed out' } })],
    ['a bulk write in which the connection broke', new MongoBulkWriteError(new MongoNetworkError('reset') as never, confirmed)],
    ['a bulk write without a primary', new MongoBulkWriteError(new MongoServerSelectionError('none', {} as never) as never, confirmed)],
    ['a bulk write in a stepdown', new MongoBulkWriteError(answered(10_107) as never, confirmed)],
    ['a bulk write that was interrupted', bulk(duplicate, { index: 1, code: 11_602, errmsg: 'interrupted' })],
    ['a bulk write that no majority confirms', new MongoBulkWriteError({ message: 'bulk', writeErrors: [] } as never, unconfirmed)],
    ['a client bulk write with a cause', clientBulk({ cause: answered(189) })],
    ['a client bulk write with an error of an operation', clientBulk({ writeErrors: new Map([[0, { code: 91, message: 'stops' }]]) })],
    ['a client bulk write that no majority confirms', clientBulk({ writeConcernErrors: [{ code: 64, message: 'timed out' }] })],
  ])('is %s', (_, error) => expect(isOutage(error)).toBe(true));

  it.each([6, 7, 43, 50, 64, 89, 91, 100, 112, 133, 134, 189, 251, 262, 9_001, 10_107, 11_600, 11_601, 11_602, 13_435, 13_436])(
    'is an answer with the code %d',
    (code) => expect(isOutage(answered(code))).toBe(true),
  );

  it.each([
    'RetryableWriteError',
    'TransientTransactionError',
    'UnknownTransactionCommitResult',
    'PoolRequestedRetry',
    'InterruptInUseConnections',
    'SystemOverloadedError',
  ])('is an error with the label %s', (label) => expect(isOutage(labelled(label))).toBe(true));

  it.each<[string, unknown]>([
    ['a duplicate key', answered(11_000)],
    ['a duplicate key in a bulk write', bulk(duplicate)],
    ['a duplicate key in a client bulk write', clientBulk({ writeErrors: new Map([[0, duplicate]]) })],
    ['a wrong password', answered(18, ['HandshakeError'])],
    ['a document that is too large', answered(10_334)],
    ['an argument that cannot be sent', new MongoInvalidArgumentError('too large')],
    ['an error of another library with such a code', Object.assign(new Error('no'), { code: 91 })],
    ['an object that is not an error', { code: 91 }],
    ['nothing', undefined],
  ])('is not %s', (_, error) => expect(isOutage(error)).toBe(false));
});
