import { access, constants, link, lstat, mkdir, open, readdir, realpath, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sizeOfFile } from './object-file.ts';
import { BadKey, type ListedObject } from './object-store.ts';

/** Not allowed in a key. So an object `a`, the folder of an object `a/b` and the folder of drafts never have the same name. */
const OBJECT = '@';
export const DRAFTS = '@drafts';
const ABANDONED_MILLIS = 24 * 3_600_000;
const PLACING_TRIES = 20;

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
    for (const name of await this.namesIn(folder)) {
      const key = folder + name;
      if (name.endsWith('/')) {
        // Skip folders that do not match the prefix, and folders that end before `after`.
        if (key.startsWith(prefix) && (key > after || after.startsWith(key))) yield* this.walkIn(key, prefix, after);
      } else if (key > after && key.startsWith(prefix)) {
        const file = await lstat(this.pathOf(key)).catch(nullIfAbsent);
        if (file?.isFile()) yield { key, size: sizeOfFile(file.size), modified: file.mtime };
      }
    }
  }

  /**
   * The entries of a folder as parts of keys. Folders have a trailing slash, because `a/b` comes after `a-b`. Links are left out. The names are
   * ASCII, so texts sort like their bytes.
   */
  private async namesIn(folder: string): Promise<string[]> {
    const entries = (await readdir(join(this.root, folder), { withFileTypes: true }).catch(nullIfAbsent)) ?? [];
    const names: string[] = [];
    for (const entry of entries) {
      if (entry.isFile() && entry.name.endsWith(OBJECT)) names.push(entry.name.slice(0, -OBJECT.length));
      else if (entry.isDirectory() && entry.name !== DRAFTS) names.push(`${entry.name}/`);
    }
    return names.sort();
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
