import { Dirent, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FileTree } from './file-tree.ts';

describe('a tree of files', () => {
  let directory: string;
  let tree: FileTree;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-tree-'));
    tree = await FileTree.open(directory);
  });
  afterEach(() => rm(directory, { recursive: true }));

  const draft = async (text: string) => {
    const path = join(tree.drafts, `draft-${text}`);
    await writeFile(path, text);
    return path;
  };
  const keysBelow = async (prefix: string, after = '') => {
    const keys: string[] = [];
    for await (const { key } of tree.walk(prefix, after)) keys.push(key);
    return keys;
  };
  const textOf = async (key: string) => readFile((await tree.find(key))!, 'utf8');

  it('replaces an object, unless the object must be absent', async () => {
    expect(await tree.place(await draft('one'), 'a/b', true)).toBe(true);
    expect(await tree.place(await draft('two'), 'a/b', true)).toBe(false);
    expect(await textOf('a/b')).toBe('one');
    expect(await tree.place(await draft('two'), 'a/b', false)).toBe(true);
    expect(await textOf('a/b')).toBe('two');
  });
  it('lists the objects below a prefix without reading the folders beside them, and follows no links', async () => {
    for (const key of ['a/b/c', 'a/bc', 'a/b-d', 'other/e']) await tree.place(await draft(key.replaceAll('/', '-')), key, true);
    await symlink(join(directory, 'a'), join(directory, 'link'));
    const all = await keysBelow('');
    const read = jest.spyOn(tree as unknown as { namesIn(folder: string): Promise<string[]> }, 'namesIn');
    expect([all, await keysBelow('a/b'), await keysBelow('a/b/'), await keysBelow('none/x'), await keysBelow('link/')]).toEqual([
      ['a/b-d', 'a/b/c', 'a/bc', 'other/e'],
      ['a/b-d', 'a/b/c', 'a/bc'],
      ['a/b/c'],
      [],
      [],
    ]);
    expect(read.mock.calls.map(([folder]) => folder)).toEqual(['a/', 'a/b/', 'a/b/']);
  });
  it('lists folders with more names than are kept at once, with other work in between', async () => {
    const folder = join(directory, 'many');
    await mkdir(folder);
    const names = Array.from({ length: 4_500 }, (_, index) => `${(index * 7) % 4_500}`.padStart(4, '0'));
    for (const name of names) writeFileSync(join(folder, `${name}@`), '');
    const keys = names.toSorted().map((name) => `many/${name}`);
    const seen = jest.spyOn(Dirent.prototype, 'isFile');
    let most = 0;
    let other = setImmediate(function next() {
      most = Math.max(most, seen.mock.calls.length);
      seen.mockClear();
      other = setImmediate(next);
    });
    const first = await tree.walk('many/', 'many/2000').next();
    clearImmediate(other);
    seen.mockRestore();
    expect(first.value?.key).toBe('many/2001');
    expect(most).toBeLessThan(1_000);
    expect(await keysBelow('many/')).toEqual(keys);
    expect(await keysBelow('many/', 'many/0499')).toEqual(keys.slice(500));
  });
  it('answers a check until its directory is gone', async () => {
    await tree.check();
    await rm(tree.drafts, { recursive: true });
    await expect(tree.check()).rejects.toMatchObject({ code: 'ENOENT' });
  });
  it.each([true, false])('rejects if the draft is missing (the object must be absent: %s)', async (ifAbsent) => {
    await expect(tree.place(join(tree.drafts, 'missing'), 'a/b', ifAbsent)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
