import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileOf } from './file-tree.ts';

/** Whether a directory of objects has this one, or, for a key that ends with a slash, anything in this folder. Changes nothing in the directory. */
export async function isStoredIn(directory: string, key: string): Promise<boolean> {
  const isFolder = key.endsWith('/');
  // Folders that become empty are removed.
  const found = await stat(join(directory, isFolder ? key : fileOf(key))).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  return isFolder ? found?.isDirectory() === true : found?.isFile() === true;
}
