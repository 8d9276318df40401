import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { libraryFolders } from './library-folders.ts';
import type { startReading } from './start.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

describe('the folders of libraries', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'parlance-libraries-')));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function linked(target: string, link: string): Promise<void> {
    await mkdir(join(folder, target), { recursive: true });
    await mkdir(dirname(join(folder, link)), { recursive: true });
    await symlink(join(folder, target), join(folder, link));
  }

  const found = (name: string) =>
    libraryFolders(join(folder, name))
      .filter((path) => path.startsWith(folder))
      .map((path) => path.slice(folder.length + 1));

  it('are each node_modules above the code', () =>
    expect(found('plain/libs/documents')).toEqual([
      'plain/libs/documents/node_modules',
      'plain/libs/node_modules',
      'plain/node_modules',
      'node_modules',
    ]));
  it('include the folder to which a node_modules is linked', async () => {
    await linked('elsewhere/node_modules', 'whole/node_modules');
    expect(found('whole')).toContain('elsewhere/node_modules');
  });
  it('include the folders to which packages are linked, and their own links', async () => {
    await linked('store/zip@1/node_modules/zip', 'packages/node_modules/@scope/zip');
    await linked('store/inflate@1/node_modules/inflate', 'store/zip@1/node_modules/inflate');
    expect(found('packages')).toEqual(expect.arrayContaining(['store/zip@1/node_modules', 'store/inflate@1/node_modules']));
  });
  it('name no folder within another', async () => {
    await linked('within/node_modules/.store/zip/node_modules/zip', 'within/node_modules/zip');
    expect(found('within')).toEqual(['within/node_modules', 'node_modules']);
  });
  it('leave out packages of a workspace, and links to nothing', async () => {
    await linked('workspace/apps/parlance', 'workspace/node_modules/@parlance/parlance');
    await symlink(join(folder, 'nothing'), join(folder, 'workspace/node_modules/broken'));
    expect(found('workspace')).toEqual(['workspace/node_modules', 'node_modules']);
  });
  it('let a process that reads documents start where packages are linked one by one', async () => {
    const copy = join(folder, 'copy');
    await cp(join(repository, 'libs/documents/src'), join(copy, 'libs/documents/src'), { recursive: true });
    await cp(join(repository, 'libs/documents/package.json'), join(copy, 'libs/documents/package.json'));
    const own = join(folder, 'own');
    await Promise.all([own, join(copy, 'node_modules')].map((path) => mkdir(path)));
    for (const name of await readdir(join(repository, 'node_modules')))
      await symlink(join(repository, 'node_modules', name), join(copy, 'node_modules', name));
    const start = (await import(join(copy, 'libs/documents/src/process/start.ts'))) as { startReading: typeof startReading };
    const child = start.startReading({ directory: own, memoryMebibytes: 512, drawsPages: false }, 400_000_000);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      expect(await Promise.race([new Promise((resolve) => child.once('message', resolve)), ended])).toEqual({ type: 'ready' });
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  });
});
