import type { MongoError } from 'mongodb';
import { WriteUnconfirmed } from '../append.ts';

/** Labels with which the server or the driver marks an error that passes. */
const LABELS = [
  'RetryableWriteError',
  'RetryableError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'ResumableChangeStreamError',
  'PoolRequestedRetry',
  'InterruptInUseConnections',
  'ResetPool',
  'SystemOverloadedError',
];

const CODES: ReadonlySet<unknown> = new Set([
  // A host, a connection or a time limit.
  6, 7, 50, 89, 262, 9_001,
  // An election, a stop or a recovery: the node is no longer the primary, or not yet.
  91, 133, 134, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436,
  // A majority does not confirm the write.
  64, 100,
  // A cursor, an operation or a transaction that the server has ended.
  43, 112, 175, 237, 251, 290, 11_601,
  // A router whose view of the cluster is out of date.
  63, 150, 234, 13_388,
  // A full disk.
  14_031,
]);

/** The driver's classes by their names, because a process without MongoDB does not load the driver. */
const CLASSES: ReadonlySet<unknown> = new Set([
  'MongoNetworkError',
  'MongoServerSelectionError',
  'MongoOperationTimeoutError',
  'MongoWaitQueueTimeoutError',
  'MongoStalePrimaryError',
  'MongoWriteConcernError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoNotConnectedError',
]);

/** The parts of an error in which the driver stores other errors. */
interface WithErrors {
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errorResponse?: unknown;
  readonly writeErrors?: unknown;
  readonly writeConcernErrors?: readonly unknown[];
  readonly result?: { getWriteConcernError?(): unknown };
}

/**
 * Whether an error of the MongoDB driver means that the database is unavailable for a while: unreachable, in an election, or without a majority. The
 * same operation can succeed later. False for refusals such as a duplicate key.
 */
export function isOutage(error: unknown): boolean {
  return error instanceof WriteUnconfirmed || (isOfDriver(error) && isOutageIn(error));
}

function isOfDriver(error: unknown): error is MongoError {
  return error instanceof Error && typeof (error as Partial<MongoError>).hasErrorLabel === 'function';
}

/** `inner` was found in an error of the driver, which also stores plain objects. */
function isOutageIn(inner: unknown): boolean {
  if (typeof inner !== 'object' || inner === null) return false;
  const { code, cause, errorResponse, writeErrors, writeConcernErrors = [], result } = inner as WithErrors;
  if (CODES.has(code)) return true;
  if (isOfDriver(inner) && (LABELS.some((label) => inner.hasErrorLabel(label)) || isOfClass(inner))) return true;
  // The write is not confirmed by a majority, whatever the reason.
  if (writeConcernErrors.length > 0 || result?.getWriteConcernError?.()) return true;
  return [cause, errorResponse, ...listOf(writeErrors)].some(isOutageIn);
}

function isOfClass(error: object): boolean {
  for (let its: object | null = error; its !== null; its = Object.getPrototypeOf(its) as object | null)
    if (CLASSES.has((its as Error).name)) return true;
  return false;
}

/** One error, a list, or a map by the index of the operation. */
function listOf(writeErrors: unknown): readonly unknown[] {
  return writeErrors instanceof Map ? [...writeErrors.values()] : [writeErrors].flat();
}
