import { copyFile, link, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DocumentReaderFailed } from '../reader-failures.ts';

/** The folder of one process. Apart from its code, the process can read nothing else. */
export class OwnFolder {
  readonly path: string;
  private readonly input: string;

  private constructor(path: string) {
    this.path = path;
    this.input = join(path, 'input');
  }

  /** Rejects with `DocumentReaderFailed`, for example if the disk is full. */
  static async open(parent: string): Promise<OwnFolder> {
    try {
      await mkdir(parent, { recursive: true });
      return new OwnFolder(await mkdtemp(join(parent, 'parlance-documents-')));
    } catch (error) {
      throw new DocumentReaderFailed(`The folder of a process could not be made (${(error as NodeJS.ErrnoException).code}).`, {
        cause: error,
      });
    }
  }

  /** Makes a file readable for the process. Resolves with its path there. Rejects with the file system's error. */
  async put(path: string): Promise<string> {
    await link(path, this.input).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw error;
      // Another file system, or one without links.
      return copyFile(path, this.input);
    });
    return this.input;
  }

  async empty(): Promise<void> {
    await rm(this.input, { force: true });
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
