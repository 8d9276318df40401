import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a local model's installation, as written by tools/minilm.mjs. */
export const MINILM_FILES = [
  'model.onnx',
  'tokenizer.json',
  'tokenizer_config.json',
  'package.json',
  'node_modules/onnxruntime-node',
] as const;

/** Thrown at startup if the configuration names the local embedding model and it is not installed. */
export class MiniLmNotInstalled extends Error {
  constructor(directory: string) {
    super(`The local embedding model is not installed in ${directory}. Install it with: npm run minilm -- ${directory}`);
    this.name = 'MiniLmNotInstalled';
  }
}

/** The default directory of the local model. */
export const minilmDirectory = (dataDir: string): string => join(dataDir, 'models', 'minilm');

/** Throws `MiniLmNotInstalled` if a file is missing. */
export function checkMiniLm(directory: string): void {
  if (!MINILM_FILES.every((file) => existsSync(join(directory, file)))) throw new MiniLmNotInstalled(directory);
}
