import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of a directory that contain a text, in either common encoding. */
export async function filesWith(directory: string, words: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    // A file may be replaced in the meantime.
    const content = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    if ((['utf8', 'utf16le'] as const).some((encoding) => content.includes(Buffer.from(words, encoding)))) found.push(entry.name);
  }
  return found;
}
