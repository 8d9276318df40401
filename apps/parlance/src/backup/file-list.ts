import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { TREES } from '@parlance/installation';
import type { OnProgress } from '../progress-bar.ts';
import { hashOf } from './file-hash.ts';

/** A file with one line of JSON for each file of the trees. It is read line by line, because there may be millions of files. */
export const FILE_LIST = 'files.jsonl';
/** The maximum number of reported problems. */
const MOST_PROBLEMS = 20;

export interface ListedFile {
  /** Relative to the backup, with slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What `backup.json` records about the list. */
export interface FileListMark {
  readonly count: number;
  readonly sha256: string;
}

/** Writes the list of a backup while its files are copied. */
export class FileListWriter {
  private count = 0;

  private constructor(
    private readonly directory: string,
    private readonly file: FileHandle,
  ) {}

  static async create(directory: string): Promise<FileListWriter> {
    return new FileListWriter(directory, await open(join(directory, FILE_LIST), 'wx', 0o600));
  }

  /** Records the size and hash of the copy at `path`. */
  async add(path: string): Promise<void> {
    const copy = join(this.directory, path);
    const listed: ListedFile = { path, bytes: (await stat(copy)).size, sha256: await hashOf(copy) };
    await this.file.write(`${JSON.stringify(listed)}\n`);
    this.count += 1;
  }

  async finish(): Promise<FileListMark> {
    await this.file.sync();
    return { count: this.count, sha256: await hashOf(join(this.directory, FILE_LIST)) };
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

/** The problems with the files of the trees, as sentences. */
export async function changedFiles(directory: string, { count, sha256 }: FileListMark, onProgress?: OnProgress): Promise<string[]> {
  const list = join(directory, FILE_LIST);
  if (!existsSync(list)) return [`${FILE_LIST} is missing`];
  if ((await hashOf(list)) !== sha256) return [`${FILE_LIST} differs from the backup's checksum`];
  const problems: string[] = [];
  let checked = 0;
  for await (const line of createInterface({ input: createReadStream(list) })) {
    const problem = await changeOf(directory, JSON.parse(line) as ListedFile);
    if (problem !== null && problems.push(problem) === MOST_PROBLEMS) return problems;
    onProgress?.('check', ++checked, count);
  }
  if (problems.length > 0) return problems;
  let found = 0;
  for (const tree of TREES) found += await countFiles(join(directory, tree));
  return found === count ? [] : [`${found} files are in ${TREES.join(' and ')}, not ${count}`];
}

async function changeOf(directory: string, { path, bytes, sha256 }: ListedFile): Promise<string | null> {
  const copy = join(directory, path);
  const found = await stat(copy).catch(() => null);
  if (!found) return `${path} is missing`;
  if (found.size !== bytes) return `${path} has ${found.size} bytes, not ${bytes}`;
  return (await hashOf(copy)) === sha256 ? null : `${path} differs from the backup's checksum`;
}

export async function countFiles(directory: string): Promise<number> {
  if (!existsSync(directory)) return 0;
  let count = 0;
  for await (const entry of await opendir(directory)) count += entry.isDirectory() ? await countFiles(join(directory, entry.name)) : 1;
  return count;
}
