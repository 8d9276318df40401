import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { NotDone } from '../not-done.ts';
import type { Rebuilt, RebuildOrder } from '../replay/rebuild.ts';
import { type BackupRequest, type OperatorAnswer, REBUILDS, socketPath } from './operator-socket.ts';

const NOT_RUNNING = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR']);

export const isRunning = async (dataDir: string): Promise<boolean> => (await ask(dataDir, 'GET')) !== null;

/** Has the running product make a backup. Answers what to print; null when it isn't running. Rejects with `NotDone`. */
export async function backupByProduct(dataDir: string, order: BackupRequest): Promise<readonly string[] | null> {
  const answer = await ask(dataDir, 'POST', order);
  if (answer === null) return null;
  if ('refused' in answer) throw new NotDone(answer.refused);
  return answer.lines;
}

/** Has the running product rebuild read models. Answers false when it is not running. Rejects with `NotDone`. */
export async function rebuildByProduct(dataDir: string, order: RebuildOrder, told: (each: Rebuilt) => void): Promise<boolean> {
  const path = socketPath(dataDir);
  if (path === null || !(await isRunning(dataDir))) return false;
  await new Promise<void>((resolve, reject) => {
    const asking = request({ socketPath: path, method: 'POST', path: REBUILDS }, (answer) => {
      let isWhole = false;
      createInterface(answer)
        .on('line', (line) => {
          const said = JSON.parse(line) as Rebuilt | { readonly refused: string } | { readonly done: true };
          if ('refused' in said) reject(new NotDone(said.refused));
          else if ('done' in said) isWhole = true;
          else told(said);
        })
        .on('close', () => (isWhole ? resolve() : reject(new NotDone('the product has stopped: its next start continues the rebuild'))));
    });
    asking.once('error', (error: NodeJS.ErrnoException) =>
      reject(new NotDone(`the running product did not answer (${error.code}): see its log`)),
    );
    asking.end(JSON.stringify(order));
  });
  return true;
}

function ask(dataDir: string, method: 'GET' | 'POST', body?: BackupRequest): Promise<OperatorAnswer | null> {
  const path = socketPath(dataDir);
  if (path === null) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath: path, method, path: '/' }, (answer) => {
      json(answer).then((content) => resolve(content as OperatorAnswer), reject);
    });
    asking.once('error', (error: NodeJS.ErrnoException) => {
      if (NOT_RUNNING.has(error.code ?? '')) resolve(null);
      else reject(new NotDone(`the running product did not answer (${error.code}): see its log`));
    });
    asking.end(body && JSON.stringify(body));
  });
}
