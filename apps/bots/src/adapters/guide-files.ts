import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The guide for users: in the repository, and at the same path in the image. */
const GUIDE = fileURLToPath(new URL('../../../../docs/guide', import.meta.url));

export interface GuideFile {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * The product's own guide for users, which the guide bot knows. The offline model quotes it, so each of its sentences must be an answer by
 * itself. The other documents are left out, because their long reference passages would hide the sentences that answer.
 */
export class GuideFiles {
  constructor(private readonly directory = GUIDE) {}

  /** The files, sorted by name. There are none if the guide is not installed. */
  async *all(): AsyncGenerator<GuideFile> {
    for (const name of await this.names()) yield { name, content: await readFile(join(this.directory, name)) };
  }

  private async names(): Promise<readonly string[]> {
    try {
      return (await readdir(this.directory)).filter((name) => name.endsWith('.md')).toSorted();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}
