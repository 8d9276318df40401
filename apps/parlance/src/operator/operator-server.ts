import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Host, Started } from '@parlance/foundation';
import { backUp } from '../backup/backup.ts';
import { removeLinks } from '../backup/linked-trees.ts';
import { NotDone } from '../not-done.ts';
import type { Told } from '../progress-bar.ts';
import { rebuildReadModels, type RebuildOrder } from '../replay/rebuild.ts';
import { UnknownName } from '../unknown-name.ts';
import { type BackupRequest, closed, REBUILDS, type Said, socketPath } from './operator-socket.ts';

const TOLD_EVERY_MS = 100;

/** Leaves out most calls, because a small file may be copied in less than a millisecond. */
function rarely(told: Told): Told {
  let next = 0;
  return (...step) => {
    if (performance.now() < next) return;
    next = performance.now() + TOLD_EVERY_MS;
    told(...step);
  };
}

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
  const backup = async (request: IncomingMessage, say: (said: Said) => void): Promise<readonly string[]> => {
    if (running) throw new NotDone('another backup is being written: wait until it is done');
    running = true;
    try {
      const { directory, withMasterKey } = JSON.parse(await text(request)) as BackupRequest;
      const { master, objects } = host;
      const told = rarely((...step) => say({ step }));
      return await backUp(config, { directory, withMasterKey }, { master, holdRemovals: () => objects.holdRemovals(), told });
    } finally {
      running = false;
    }
  };
  const rebuild = async (request: IncomingMessage, say: (said: Said) => void): Promise<readonly string[]> => {
    const order = JSON.parse(await text(request)) as RebuildOrder;
    const all = [...started].map(([name, { app }]) => ({ name, app }));
    await rebuildReadModels(all, order, (rebuilt) => say({ rebuilt }));
    return [];
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const say = (said: Said) => void response.write(`${JSON.stringify(said)}\n`);
    try {
      if (request.method === 'GET') say({ lines: [] });
      else say({ lines: await (request.url === REBUILDS ? rebuild : backup)(request, say) });
    } catch (error) {
      if (!(error instanceof NotDone || error instanceof UnknownName)) log.error({ err: error }, 'a command of the operator failed');
      say({ refused: (error as Error).message });
    }
    response.end();
  };
  const server = createServer(
    { requestTimeout: 0 },
    (request: IncomingMessage, response: ServerResponse) => void answer(request, response),
  );
  // Left by a process that was killed: the lock of the directory says that there is no other.
  rmSync(path, { force: true });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(path, () => listening());
  });
  server.unref();
  shutdown.stop('drain', 'operator socket', () => closed(server));
}
