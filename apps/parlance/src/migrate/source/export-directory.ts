import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { NotDone } from '../../not-done.ts';

const ITEMS = /\.(?:json|jsonl)(?:\.gz)?$/;
/** The folder with the files from the buckets of the source. */
export const FILES = 'files';
const USERS = /^users\.(?:json|jsonl|csv)$/;
/** The maximum size in bytes of a file from a bucket: a file of knowledge, or the messages of a long conversation. */
export const LARGEST_FILE = 64 * 1024 * 1024;

/** A directory with an export: files of items at any depth, `files/`, and `users.json` or `users.csv`. */
export class ExportDirectory {
  constructor(readonly path: string) {}

  /** The files of items, relative and sorted, so that each run reads them in the same order. */
  async itemFiles(): Promise<readonly string[]> {
    const entries = await readdir(this.path, { recursive: true, withFileTypes: true }).catch(() => {
      throw new NotDone(`there is no directory ${this.path}: name the directory of the export with --from`);
    });
    const files = entries
      .filter((entry) => entry.isFile() && ITEMS.test(entry.name) && !entry.name.startsWith('manifest-'))
      .map(({ parentPath, name }) => relative(this.path, join(parentPath, name)))
      .filter((name) => !name.startsWith(`${FILES}${sep}`) && !USERS.test(name))
      .toSorted();
    if (files.length === 0) throw new NotDone(`${this.path} has no file of items: *.json, *.jsonl, or the same with .gz`);
    return files;
  }

  async usersFile(): Promise<string | null> {
    const found = (await readdir(this.path)).find((name) => USERS.test(name));
    return found === undefined ? null : join(this.path, found);
  }

  /** The file from a bucket with this key; null if it does not exist or is too large. A key cannot name a file outside the directory. */
  async file(key: string): Promise<Buffer | null> {
    const root = resolve(this.path, FILES);
    const path = resolve(root, key);
    if (!path.startsWith(root + sep)) return null;
    const { size } = await stat(path).catch(() => ({ size: -1 }));
    return size < 0 || size > LARGEST_FILE ? null : readFile(path);
  }
}
