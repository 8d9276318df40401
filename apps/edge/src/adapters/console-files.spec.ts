import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { builtConsole, FILES, SCRIPT } from '../../test/built-console.ts';
import { consoleFolder, ConsoleFiles } from './console-files.ts';

describe('the files of the console', () => {
  let [above, folder] = ['', ''];
  beforeAll(async () => {
    ({ above, folder } = await builtConsole());
  });
  afterAll(() => rm(above, { recursive: true }));
  const read = async () => (await ConsoleFiles.readFrom(folder))!;

  it('have the content type of their extension', async () => {
    const files = await read();
    const types = Object.keys(FILES).map((path) => [path, files.at(path)?.contentType]);
    expect(Object.fromEntries(types)).toEqual({
      'index.html': 'text/html; charset=utf-8',
      'artifact-frame.html': 'text/html; charset=utf-8',
      'assets/index-D3x_a8Zk.js': 'text/javascript; charset=utf-8',
      'assets/index-D3x_a8Zk.js.map': undefined,
      'assets/style-BmR-91cx.css': 'text/css; charset=utf-8',
      'assets/logo.svg': 'image/svg+xml; charset=utf-8',
      'assets/text-Ck28dj1Q.woff2': 'font/woff2',
      'console.webmanifest': 'application/manifest+json; charset=utf-8',
      'words.json': 'application/json; charset=utf-8',
      '.hidden/notes.txt': undefined,
      'program.exe': undefined,
    });
  });

  it.each([
    ['assets/index-D3x_a8Zk.js', true],
    ['assets/style-BmR-91cx.css', true],
    ['assets/logo.svg', false],
    ['index.html', false],
    ['words.json', false],
  ])('has a hash in the name of %s: %p', async (path, isHashed) => expect((await read()).at(path)?.isHashed).toBe(isHashed));

  it('have the encodings that the build created, each with its own entity tag', async () => {
    const { representations } = (await read()).at('assets/index-D3x_a8Zk.js')!;
    expect(representations.map(({ encoding }) => encoding)).toEqual(['br', 'gzip', null]);
    expect(new Set(representations.map(({ etag }) => etag)).size).toBe(3);
    expect(String(representations.at(-1)?.bytes)).toBe(SCRIPT);
    expect((await read()).at('assets/logo.svg')?.representations.map(({ encoding }) => encoding)).toEqual([null]);
  });

  it('have the same entity tags in every edge', async () => {
    const [one, other] = [await read(), await read()];
    expect(one.index.representations.map(({ etag }) => etag)).toEqual(other.index.representations.map(({ etag }) => etag));
  });

  it.each(['linked.txt', 'up/secret.txt', '../secret.txt', 'index.html.br', '', 'assets', 'constructor', '__proto__'])(
    'do not include %j',
    async (path) => expect((await read()).at(path)).toBeUndefined(),
  );

  it('are refused if they exceed the bounds %j', async () => {
    expect(await ConsoleFiles.readFrom(join(above, 'nowhere'))).toBeNull();
    const empty = await builtConsole({ 'assets/a.js': '' });
    expect(await ConsoleFiles.readFrom(empty.folder)).toBeNull();
    await rm(empty.above, { recursive: true });
  });

  it.each([
    [{ files: 3, bytes: 1_000_000 }, /more than 3 files/],
    [{ files: 100, bytes: 500 }, /more than 500 bytes/],
  ])('are refused past the bounds %j', async (bounds, message) => expect(ConsoleFiles.readFrom(folder, bounds)).rejects.toThrow(message));
});

describe('the folder of the built console', () => {
  it('is found in the package of the console', () => expect(consoleFolder()).toMatch(/[\\/]console[\\/]dist$/));
  it('is null if the package is not installed', () => expect(consoleFolder('@parlance/not-installed')).toBeNull());
});
