// The process of the SQL engine. It has an empty environment, executes one order, and is ended by its parent.
import { joinFiles, writeRows } from './parquet.ts';
import type { EngineLimits, Order, Report } from './messages.ts';
import { openConnection } from './sql-connection.ts';
import { answerQuery } from './sql-query.ts';

const connection = await openConnection(JSON.parse(process.argv[2]!) as EngineLimits);

async function done(order: Order): Promise<Report> {
  switch (order.type) {
    case 'write':
      return { type: 'written', rows: await writeRows(connection, order) };
    case 'join':
      return { type: 'written', rows: await joinFiles(connection, order) };
    case 'query':
      return answerQuery(connection, order);
  }
}

const failed = (error: unknown): Report => ({ type: 'failed', message: error instanceof Error ? error.message : String(error) });

process.once('message', (order: Order) => {
  // The parent ends the process when it has the report.
  void done(order)
    .catch(failed)
    .then((report) => process.send!(report));
});
process.on('disconnect', () => process.exit(0));
process.send!({ type: 'ready' } satisfies Report);
