import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Host, Started } from '@parlance/foundation';
import { backUp } from '../backup/backup.ts';
import { removeLinks } from '../backup/linked-trees.ts';
import { NotDone } from '../not-done.ts';
import type { OnProgress } from '../progress-bar.ts';
import { rebuildReadModels, type RebuildOrder } from '../replay/rebuild.ts';
import { UnknownName } from '../unknown-name.ts';
import { type OperatorOrder, orderIn } from './operator-orders.ts';
import { type BackupRequest, closed, type OperatorReply, socketPath } from './operator-socket.ts';

const PROGRESS_EVERY_MS = 100;
/** The time in which a client must send its request. */
const REQUEST_MS = 10_000;
const MOST_CONNECTIONS = 16;

type Send = (reply: OperatorReply) => void;

/** Drops most calls, because the copy of a small file may take less than a millisecond. */
function throttled(onProgress: OnProgress): OnProgress {
  let next = 0;
  return (...step) => {
    if (performance.now() < next) return;
    next = performance.now() + PROGRESS_EVERY_MS;
    onProgress(...step);
  };
}

/**
 * Runs the operator's commands, received on a socket in the data directory. This process has the files open, so no other process may copy them.
 * The socket needs no credentials, because only the user of the data directory can reach it.
 */
export async function listenToOperator(host: Host, started: ReadonlyMap<string, Started>): Promise<void> {
  const { config, logging, shutdown } = host;
  const log = logging.for('operator');
  const path = socketPath(config.dataDir);
  if (path === null) {
    log.warn({ dataDir: config.dataDir }, 'the path of dataDir is too long for a socket: stop the product before a backup');
    return;
  }
  await removeLinks(config.dataDir);
  let isBackingUp = false;
  const backup = async (request: BackupRequest, send: Send): Promise<readonly string[]> => {
    if (isBackingUp) throw new NotDone('another backup is being written: wait until it is done');
    isBackingUp = true;
    try {
      const { master, directory: data } = host;
      if (!data) throw new NotDone('this process keeps no files: see docs/how-to/back-up.md');
      const onProgress = throttled((...step) => send({ step }));
      return await backUp(config, request, { master, holdRemovals: () => data.removals.hold(), onProgress });
    } finally {
      isBackingUp = false;
    }
  };
  const rebuild = async (order: RebuildOrder, send: Send): Promise<readonly string[]> => {
    const services = [...started].map(([name, { app }]) => ({ name, app }));
    await rebuildReadModels(services, order, (rebuilt) => send({ rebuilt }));
    return [];
  };
  const running = new Set<Promise<void>>();
  const carryOut = async (order: OperatorOrder, send: Send): Promise<void> => {
    try {
      if (order.type === 'look') send({ lines: [] });
      else send({ lines: await (order.type === 'rebuild' ? rebuild(order, send) : backup(order, send)) });
    } catch (error) {
      if (!(error instanceof NotDone || error instanceof UnknownName)) log.error({ err: error }, 'a command of the operator failed');
      send({ refused: (error as Error).message });
    }
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (reply: OperatorReply) => void response.write(`${JSON.stringify(reply)}\n`);
    const order = await orderIn(request);
    response.setHeader('connection', 'close');
    if (order === null) send({ refused: 'the running product does not know this command: use the command line of the same version' });
    else {
      const carried = carryOut(order, send);
      running.add(carried);
      await carried;
      running.delete(carried);
    }
    response.end();
  };
  const server = createServer({ requestTimeout: REQUEST_MS, connectionsCheckingInterval: REQUEST_MS }, (request, response) => {
    // The client has disconnected before the end of its request.
    answer(request, response).catch(() => response.destroy());
  });
  server.maxConnections = MOST_CONNECTIONS;
  // A killed process has left this file: this process has the lock of the directory, so no other process runs.
  rmSync(path, { force: true });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(path, () => listening());
  });
  server.unref();
  shutdown.stop('drain', 'operator socket', async () => {
    const ended = closed(server);
    await Promise.all(running);
    // Does not wait for incomplete requests.
    server.closeAllConnections();
    await ended;
  });
}
