import { createHash } from 'node:crypto';
import { opendir, readFile, stat } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';

/** The content types by extension. Files of other types, such as source maps, are not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Most compact first. `null` is the unencoded file. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
  [null, ''],
] as const;

export type Encoding = (typeof ENCODINGS)[number][0];

/** One encoding of a file, with its own entity tag. */
export interface Representation {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  readonly etag: string;
}

export interface ConsoleFile {
  readonly contentType: string;
  /** The build put a hash of the content into the name, so the content at this path never changes. */
  readonly isHashed: boolean;
  /** The most compact encoding first, the unencoded file last. */
  readonly representations: readonly Representation[];
}

export interface FileBounds {
  readonly files: number;
  readonly bytes: number;
}

const BOUNDS: FileBounds = { files: 2_000, bytes: 64 * 1024 * 1024 };

/** `index-D3x_a8Zk.js`: the build ends each name with a hash of 8 characters. */
const HASHED = /^assets\/.*[-.][\w-]{8}\.[a-z0-9]+$/;

/** The files of the built console by path, in memory. Requests only look up paths in it, so no path can lead out of the folder. */
export class ConsoleFiles {
  private constructor(
    private readonly files: ReadonlyMap<string, ConsoleFile>,
    /** The page for every path of the console that is not a file. */
    readonly index: ConsoleFile,
  ) {}

  /** `path` is relative to the folder and has no percent-encoding. */
  at(path: string): ConsoleFile | undefined {
    return this.files.get(path);
  }

  /**
   * Reads all files of the folder. Links and hidden files are left out. Null if the folder or its index.html does not exist. Throws Error
   * if the folder has more files or bytes than the bounds allow.
   */
  static async readFrom(folder: string, bounds: FileBounds = BOUNDS): Promise<ConsoleFiles | null> {
    const contents = await contentsOf(folder, bounds);
    const files = new Map<string, ConsoleFile>();
    for (const [path, bytes] of contents) {
      const contentType = TYPES[extname(path)];
      if (contentType === undefined) continue;
      const representations = ENCODINGS.flatMap(([encoding, ending]) => {
        const encoded = encoding === null ? bytes : contents.get(path + ending);
        return encoded ? [{ encoding, bytes: encoded, etag: tagOf(encoded) }] : [];
      });
      files.set(path, { contentType, isHashed: HASHED.test(path), representations });
    }
    const index = files.get('index.html');
    return index ? new ConsoleFiles(files, index) : null;
  }
}

/** Where the build of the console writes its files; null if the package is not installed. */
export function consoleFolder(name = '@parlance/console'): string | null {
  try {
    const manifest = findPackageJSON(name, import.meta.url);
    return manifest === undefined ? null : join(dirname(manifest), 'dist');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

async function contentsOf(folder: string, bounds: FileBounds): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  let bytes = 0;
  for (const path of await pathsIn(folder, bounds.files)) {
    const file = join(folder, path);
    bytes += (await stat(file)).size;
    if (bytes > bounds.bytes)
      throw new Error(`The console has more than ${bounds.bytes} bytes in ${folder}. Remove that folder and build the console again.`);
    contents.set(path.split(sep).join('/'), await readFile(file));
  }
  return contents;
}

async function pathsIn(folder: string, most: number): Promise<string[]> {
  const paths: string[] = [];
  try {
    for await (const entry of await opendir(folder, { recursive: true })) {
      const path = relative(folder, join(entry.parentPath, entry.name));
      if (!entry.isFile() || path.split(sep).some((part) => part.startsWith('.'))) continue;
      paths.push(path);
      if (paths.length > most)
        throw new Error(`The console has more than ${most} files in ${folder}. Remove that folder and build the console again.`);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return paths;
}

const tagOf = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
