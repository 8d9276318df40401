import { type Collection, type Document, MongoBulkWriteError, type OptionalUnlessRequiredId, type WriteError } from 'mongodb';
import { WriteUnconfirmed } from '../append.ts';
import { isOutage } from './outage.ts';

/** The server's or the driver's label for an error of a command of which no attempt has written anything. */
const NOTHING_WRITTEN = 'NoWritesPerformed';

/**
 * Inserts documents in any order, and returns the errors of those that the server refused. Rejects with `WriteUnconfirmed` if an outage ended the
 * insert when it may have been written, otherwise with the driver's error. That error alone does not show which, because the driver repeats a lost
 * insert, and then reports why the repetition failed.
 */
export async function insertConfirmed<Kind extends Document>(
  collection: Collection<Kind>,
  documents: readonly OptionalUnlessRequiredId<Kind>[],
): Promise<readonly WriteError[]> {
  const { client } = collection.db;
  const session = client.startSession();
  const { serverSession } = session;
  const before = serverSession.txnNumber;
  try {
    await collection.insertMany(documents, { ordered: false, session });
    return [];
  } catch (error) {
    if (error instanceof MongoBulkWriteError && !error.result.getWriteConcernError()) {
      const refused = [error.writeErrors].flat();
      if (refused.length > 0) return refused;
    }
    // Each command that is sent, and may be repeated, has a new number in its session.
    const isUnsent = client.options.retryWrites && serverSession.txnNumber === before;
    throw isUnsent || !isOutage(error) || saysNothingWritten(error) ? error : new WriteUnconfirmed(error);
  } finally {
    await session.endSession();
  }
}

/** The error of a bulk write has the label only in the error that it was made from. */
function saysNothingWritten(error: unknown): boolean {
  const { errorLabels, cause, errorResponse } = (error ?? {}) as {
    errorLabels?: readonly string[];
    cause?: unknown;
    errorResponse?: unknown;
  };
  return errorLabels?.includes(NOTHING_WRITTEN) || [cause, errorResponse].some((inner) => inner !== undefined && saysNothingWritten(inner));
}
