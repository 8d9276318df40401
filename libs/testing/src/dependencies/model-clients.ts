import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { cachePath } from './cache.ts';
import { pythonWith } from './python.ts';

const VENV = 'model-clients/venv';
const PACKAGES = [
  'openai==2.54.0',
  'anthropic==2.14.0',
  'langchain-openai==1.7.4',
  'langchain-anthropic==1.7.10',
  'llama-index-llms-openai-like==0.8.1',
  'pydantic-ai-slim[openai]==2.31.1',
  'instructor==1.17.0',
  'litellm==1.110.2',
];

export function modelClientsPath(): string {
  return cachePath(VENV);
}

/** Runs a Python program that can use the clients of models that are common in Python, and resolves with the lines that it prints, as JSON. */
export async function withModelClients<Line>(program: string, environment: Readonly<Record<string, string>>): Promise<readonly Line[]> {
  const python = await pythonWith(VENV, PACKAGES);
  const child = spawn(python, [program], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`python ended with ${code}: ${err}`);
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
