import type { Dirent } from 'node:fs';
import { access, constants, link, lstat, mkdir, open, opendir, readdir, realpath, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sizeOfFile } from './object-file.ts';
import { BadKey, type ListedObject } from './object-store.ts';

/** Not allowed in a key. So an object `a`, the folder of an object `a/b` and the folder of drafts never have the same name. */
const OBJECT = '@';
export const DRAFTS = '@drafts';
const ABANDONED_MILLIS = 24 * 3_600_000;
const PLACING_TRIES = 20;
/** Names that are kept while a folder is read. More than a page has, so that a page reads a folder once. */
const NAMES_AT_ONCE = 2_000;
/** Names that are read from a folder in one turn of the event loop. */
const READ_AT_ONCE = 256;

/** The path of an object's file below the root. */
export const fileOf = (key: string): string => `${key}${OBJECT}`;

/** Stores keys as folders and files below a root. No key and no symbolic link inside leads out of the root. */
export class FileTree {
  private constructor(private readonly root: string) {}

  /** `isOnlyUser`: no other process uses the directory, so every draft in it belongs to a process that has ended. */
  static async open(directory: string, isOnlyUser = false): Promise<FileTree> {
    await mkdir(join(directory, DRAFTS), { recursive: true });
    const tree = new FileTree(await realpath(directory));
    await tree.sweep(isOnlyUser ? Number.NEGATIVE_INFINITY : ABANDONED_MILLIS);
    return tree;
  }

  get drafts(): string {
    return join(this.root, DRAFTS);
  }

  /** Rejects if the directory is gone or cannot be written. */
  check(): Promise<void> {
    return access(this.drafts, constants.R_OK | constants.W_OK);
  }

  /** The path of a key's object, or null if there can be none because its folder does not exist or is a symbolic link. */
  async find(key: string): Promise<string | null> {
    const path = this.pathOf(key);
    const folder = dirname(path);
    // A symbolic link in the path makes the two paths differ.
    const real = await realpath(folder).catch(nullIfAbsent);
    return real === folder ? path : null;
  }

  /** Moves a draft to its key. Returns false if it may not replace an existing object. */
  async place(draft: string, key: string, ifAbsent: boolean): Promise<boolean> {
    const path = this.pathOf(key);
    for (let tries = 1; ; tries++) {
      await this.makeFolder(dirname(path), key);
      try {
        if (ifAbsent) await link(draft, path);
        else await rename(draft, path);
        break;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (ifAbsent && code === 'EEXIST') return false;
        // A concurrent `remove` deleted the folder because it was empty.
        if (code !== 'ENOENT' || tries === PLACING_TRIES) throw error;
      }
    }
    await sync(dirname(path));
    return true;
  }

  /** Removes the object, and the folders that become empty. */
  async remove(key: string): Promise<void> {
    const path = await this.find(key);
    if (!path) return;
    await unlink(path).catch(nullIfAbsent);
    let folder = dirname(path);
    await sync(folder).catch(nullIfAbsent);
    for (; folder !== this.root; folder = dirname(folder)) {
      if (
        !(await rmdir(folder).then(
          () => true,
          () => false,
        ))
      )
        return;
    }
  }

  /** Yields objects in the order of their keys. Only folders are read that can contain keys with the prefix, and none beside them. */
  async *walk(prefix: string, after: string): AsyncGenerator<ListedObject> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    // A link on the way, or no folder.
    if (folder !== '' && (await this.find(`${folder}any`)) === null) return;
    yield* this.walkIn(folder, prefix, after);
  }

  private async *walkIn(folder: string, prefix: string, after: string): AsyncGenerator<ListedObject> {
    let last = '';
    // Skip what does not match the prefix, objects up to `after`, and folders that end before it.
    const isWanted = (key: string) => key > last && key.startsWith(prefix) && (key > after || (key.endsWith('/') && after.startsWith(key)));
    for (let names = await this.namesIn(folder, isWanted); names.length > 0; names = await this.namesIn(folder, isWanted)) {
      for (const name of names) {
        const key = folder + name;
        last = key;
        if (name.endsWith('/')) yield* this.walkIn(key, prefix, after);
        else {
          const file = await lstat(this.pathOf(key)).catch(nullIfAbsent);
          if (file?.isFile()) yield { key, size: sizeOfFile(file.size), modified: file.mtime };
        }
      }
      if (names.length < NAMES_AT_ONCE) return;
    }
  }

  /**
   * The first entries of a folder that are wanted, as parts of keys. Folders have a trailing slash, because `a/b` comes after `a-b`. Links are left out.
   * The names are ASCII, so texts sort like their bytes. A folder may have a million names, so they are never all in memory, and other work is done
   * while they are read.
   */
  private async namesIn(folder: string, isWanted: (key: string) => boolean): Promise<string[]> {
    const entries = await opendir(join(this.root, folder), { bufferSize: READ_AT_ONCE }).catch(nullIfAbsent);
    let names: string[] = [];
    let most: string | undefined;
    const keepFirst = () => (names = names.toSorted().slice(0, NAMES_AT_ONCE));
    for await (const entry of entries ?? []) {
      const name = partOf(entry);
      if (name === null || (most !== undefined && name > most) || !isWanted(folder + name)) continue;
      if (names.push(name) >= 2 * NAMES_AT_ONCE) most = keepFirst().at(-1);
    }
    return keepFirst();
  }

  private pathOf(key: string): string {
    return join(this.root, fileOf(key));
  }

  /** Creates folders level by level. Checks that each is a folder and not a link, and syncs each new name before it is used. */
  private async makeFolder(folder: string, key: string): Promise<void> {
    if (folder === this.root) return;
    await this.makeFolder(dirname(folder), key);
    try {
      await mkdir(folder, 0o700);
      await sync(dirname(folder));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const there = await lstat(folder).catch(nullIfAbsent);
      if (there && !there.isDirectory()) throw new BadKey(key);
    }
  }

  /** Removes drafts of killed processes. Recent drafts are kept, because another process may be writing them. */
  private async sweep(olderThan: number): Promise<void> {
    for (const name of await readdir(this.drafts)) {
      const draft = join(this.drafts, name);
      const found = await stat(draft).catch(nullIfAbsent);
      if (found && Date.now() - found.mtimeMs > olderThan) await unlink(draft).catch(nullIfAbsent);
    }
  }
}

function partOf(entry: Dirent): string | null {
  if (entry.isFile() && entry.name.endsWith(OBJECT)) return entry.name.slice(0, -OBJECT.length);
  return entry.isDirectory() && entry.name !== DRAFTS ? `${entry.name}/` : null;
}

/** Makes new and removed names in a folder durable. */
async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
