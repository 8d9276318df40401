import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment } from './deployment.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export const dataOf = (directory: string, name: string) => join(directory, `data-${name}`);

/** Runs the built command, with its own data directory and folder for reports. */
export function migrate(directory: string, name: string, ...more: readonly string[]): Running {
  const words = ['--report', join(directory, `report-${name}`), ...more];
  const args = [join(root, 'apps/parlance/dist/main.js'), 'migrate', ...words];
  const env = { ...process.env, PARLANCE_LOG_LEVEL: 'fatal', ...environment, PARLANCE_DATA_DIR: dataOf(directory, name) };
  const child = spawn(join(root, 'node_modules/node/bin/node'), args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, output })));
  return { child, ended };
}
