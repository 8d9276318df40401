import type { Db } from 'mongodb';

interface RestoreDocument {
  readonly _id: 'restore';
  readonly begun: Date;
}

const durable = { writeConcern: { w: 'majority', journal: true }, readConcern: { level: 'majority' }, readPreference: 'primary' } as const;

const restores = (shared: Db) => shared.collection<RestoreDocument>('installation_restores', durable);

/** Written before a restore removes anything, in the database that all services share. */
export async function markRestore(shared: Db): Promise<void> {
  await restores(shared).replaceOne({ _id: 'restore' }, { begun: new Date() }, { upsert: true });
}

/** The restore is complete, so services may start. */
export async function unmarkRestore(shared: Db): Promise<void> {
  await restores(shared).deleteOne({ _id: 'restore' });
}

/** When the restore began that has not finished; null if there is none. */
export async function unfinishedRestore(shared: Db): Promise<Date | null> {
  return (await restores(shared).findOne({ _id: 'restore' }))?.begun ?? null;
}
