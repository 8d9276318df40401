import { type ClientSession, type MongoClient, MongoServerError } from 'mongodb';

/** Runs in one transaction, again as often as the server asks for it: on conflicts with others, elections, lost answers. */
export async function transact<Result>(client: MongoClient, work: (session: ClientSession) => Promise<Result>): Promise<Result> {
  return client.withSession((session) =>
    session.withTransaction(work, {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
      readPreference: 'primary',
    }),
  );
}

export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11000;
}
