import type { MongoClient } from 'mongodb';

/** How a server answers commands while a replica set elects a primary, or loses its majority. */
export const answersInElections = {
  'is not the primary any more': { errorCode: 10_107 },
  'has stepped down': { errorCode: 189 },
  'interrupts the command': { errorCode: 11_602 },
  'shuts down': { errorCode: 91 },
  'has lost the cursor': { errorCode: 43 },
  'writes without a majority': { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
  'closes the connection': { closeConnection: true },
} as const;

export type AnswerInElection = keyof typeof answersInElections;

/**
 * The next commands of an application are answered like this. Later ones succeed. The driver repeats many commands once, so that two failures reach
 * the caller as one. A server at MONGODB_URI needs `--setParameter enableTestCommands=1`.
 */
export async function answerNext(
  client: MongoClient,
  {
    app,
    commands,
    times,
    how,
  }: { readonly app: string; readonly commands: readonly string[]; readonly times: number; how: AnswerInElection },
): Promise<void> {
  const data = { failCommands: commands, appName: app, ...answersInElections[how] };
  await client.db('admin').command({ configureFailPoint: 'failCommand', mode: { times }, data });
}

/** Options of a client that soon finds out that the server is the primary after all. No new primary announces itself. */
export const findsPrimarySoon = { serverMonitoringMode: 'poll', heartbeatFrequencyMS: 500, minHeartbeatFrequencyMS: 50 } as const;
