import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { NotDone } from '../not-done.ts';
import type { OnProgress } from '../progress-bar.ts';
import type { Rebuilt, RebuildOrder } from '../replay/rebuild.ts';
import { type BackupRequest, type OperatorReply, REBUILDS, socketPath } from './operator-socket.ts';

const NOT_RUNNING = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR']);

export const isRunning = async (dataDir: string): Promise<boolean> => (await ask(dataDir, 'GET', '/')) !== null;

/** Asks the running product for a backup. Resolves with the lines to print; null if it isn't running. Rejects with `NotDone`. */
export const backupByProduct = (dataDir: string, order: BackupRequest, onProgress: OnProgress): Promise<readonly string[] | null> =>
  ask(dataDir, 'POST', '/', order, (reply) => {
    if ('step' in reply) onProgress(...reply.step);
  });

/** Asks the running product to rebuild read models. Resolves with false if it isn't running. Rejects with `NotDone`. */
export async function rebuildByProduct(dataDir: string, order: RebuildOrder, onProgress: (each: Rebuilt) => void): Promise<boolean> {
  const answer = await ask(dataDir, 'POST', REBUILDS, order, (reply) => {
    if ('rebuilt' in reply) onProgress(reply.rebuilt);
  });
  return answer !== null;
}

/** Resolves with the lines to print; null when the product is not running. */
function ask(dataDir: string, method: string, path: string, body?: object, onReply: (reply: OperatorReply) => void = () => undefined) {
  const socket = socketPath(dataDir);
  if (socket === null) return Promise.resolve(null);
  return new Promise<readonly string[] | null>((resolve, reject) => {
    const sent = request({ socketPath: socket, method, path }, (answer) => {
      createInterface(answer)
        .on('line', (line) => {
          const reply = JSON.parse(line) as OperatorReply;
          if ('refused' in reply) reject(new NotDone(reply.refused));
          else if ('lines' in reply) resolve(reply.lines);
          else onReply(reply);
        })
        // This has no effect if the command has ended.
        .on('close', () => reject(new NotDone('the product stopped before the end: a rebuild continues at its next start')));
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (NOT_RUNNING.has(error.code ?? '')) resolve(null);
      else reject(new NotDone(`the running product did not answer (${error.code}): see its log`));
    });
    sent.end(body && JSON.stringify(body));
  });
}
