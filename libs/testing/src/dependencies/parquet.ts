import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { cachePath } from './cache.ts';
import { pythonWith } from './python.ts';

const VENV = 'parquet/venv';
const PACKAGES = ['pyarrow==22.0.0', 'pandas==2.3.3'];

export function parquetPath(): string {
  return cachePath(VENV);
}

/** Runs a Python program with pyarrow and pandas, and resolves with the JSON that it prints. If the program fails, rejects with its output. */
export async function inPython<Printed>(program: string, args: readonly string[]): Promise<Printed> {
  const python = await pythonWith(VENV, PACKAGES);
  const child = spawn(python, ['-c', program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`python ended with ${code}: ${err}`);
  return JSON.parse(out) as Printed;
}
