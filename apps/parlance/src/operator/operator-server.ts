import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Host, Started } from '@parlance/foundation';
import { backUp } from '../backup/backup.ts';
import { removeLinks } from '../backup/linked-trees.ts';
import { NotDone } from '../not-done.ts';
import { rebuildReadModels, type RebuildOrder } from '../replay/rebuild.ts';
import { UnknownName } from '../unknown-name.ts';
import { type BackupRequest, closed, type OperatorAnswer, REBUILDS, socketPath } from './operator-socket.ts';

/**
 * Answers commands of the operator on a socket in the data directory: the files are open in this process, so no other may copy them. It
 * has no credentials, because only the user of the data directory can reach it.
 */
export async function listenToOperator(host: Host, started: ReadonlyMap<string, Started>): Promise<void> {
  const { config, logging, shutdown } = host;
  const log = logging.for('operator');
  const path = socketPath(config.dataDir);
  if (path === null) {
    log.warn({ dataDir: config.dataDir }, 'the path of dataDir is too long for a socket: a backup needs the product stopped');
    return;
  }
  await removeLinks(config.dataDir);
  let running = false;
  const answer = async (request: IncomingMessage): Promise<OperatorAnswer> => {
    if (request.method === 'GET') return { lines: [] };
    if (running) return { refused: 'another backup is being written: wait until it is done' };
    running = true;
    try {
      const { directory, withMasterKey } = JSON.parse(await text(request)) as BackupRequest;
      const { master, objects } = host;
      return { lines: await backUp(config, { directory, withMasterKey }, { master, holdRemovals: () => objects.holdRemovals() }) };
    } catch (error) {
      if (!(error instanceof NotDone)) log.error({ err: error }, 'a backup failed');
      return { refused: (error as Error).message };
    } finally {
      running = false;
    }
  };
  const rebuild = async (request: IncomingMessage, response: ServerResponse) => {
    const say = (content: object) => void response.write(`${JSON.stringify(content)}\n`);
    try {
      const order = JSON.parse(await text(request)) as RebuildOrder;
      const all = [...started].map(([name, { app }]) => ({ name, app }));
      await rebuildReadModels(all, order, say);
      say({ done: true });
    } catch (error) {
      if (!(error instanceof NotDone || error instanceof UnknownName)) log.error({ err: error }, 'a rebuild failed');
      say({ refused: (error as Error).message });
    }
    response.end();
  };
  const server = createServer({ requestTimeout: 0 }, (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST' && request.url === REBUILDS) void rebuild(request, response);
    else void answer(request).then((body) => response.end(JSON.stringify(body)));
  });
  // Left by a process that was killed: the lock of the directory says that there is no other.
  rmSync(path, { force: true });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(path, () => listening());
  });
  server.unref();
  shutdown.stop('drain', 'operator socket', () => closed(server));
}
