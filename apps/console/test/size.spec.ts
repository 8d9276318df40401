import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startFiles } from '../start-files.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const dist = join(folder, 'dist');
/** The limit for all files of the first page, compressed with gzip. */
const MOST_START_BYTES = 170_000;
/** The limit for a chat with a reply without code. Highlighting is loaded with the first code block. */
const MOST_CHAT_BYTES = 268_000;
const OF_A_CHAT = /^(chat-page|chat-list|markdown-text)-[\w-]{8}\.js$/;

const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);

/** The compressed sizes of the files of the first page and of those that are loaded later. */
async function sizesWith(later: readonly string[]): Promise<readonly number[]> {
  const files = await startFiles((file) => readFile(join(dist, file), 'utf8'), later);
  return Promise.all(files.map(async (file) => (await stat(join(dist, `${file}.gz`))).size));
}

describe('the size of the console', () => {
  // Not built here: other suites start products that read these files.
  beforeAll(async () => {
    await stat(join(dist, 'index.html.gz')).catch(() => Promise.reject(new Error('Run npm run build -w @parlance/console first.')));
  });

  it('stays below the limit for the files of the first page', async () => {
    const sizes = await sizesWith([]);
    // If the framework is missing, the files of the first page were not detected.
    expect(Math.max(...sizes)).toBeGreaterThan(50_000);
    expect(sum(sizes)).toBeLessThanOrEqual(MOST_START_BYTES);
  });

  it('stays below the limit for a chat with a reply', async () => {
    const names = (await readdir(join(dist, 'assets'))).filter((name) => OF_A_CHAT.test(name));
    expect(names.length).toBe(3);
    expect(sum(await sizesWith(names.map((name) => `assets/${name}`)))).toBeLessThanOrEqual(MOST_CHAT_BYTES);
  });
});

describe('the files of the first page', () => {
  const texts: Record<string, string> = {
    'index.html':
      '<link rel="icon" href="/app/icon.svg"><script type="module" src="/app/assets/a.js"></script><a href="https://example.org/x.js">',
    'assets/a.js': 'import{x as e}from"./b.js";import"./c.js";const later=()=>import("./later.js");',
    'assets/b.js': 'import{a}from"./a.js";export{d}from"./d.js";',
    'assets/c.js': '',
    'assets/d.js': '',
  };

  it('are those in the document, with their static imports', async () => {
    const files = await startFiles(async (file) => texts[file]!);
    expect(files.sort()).toEqual(['assets/a.js', 'assets/b.js', 'assets/c.js', 'assets/d.js', 'icon.svg', 'index.html']);
  });
});
