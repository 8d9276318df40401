import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ConsoleFiles } from '../src/adapters/console-files.ts';
import { ConsolePages } from '../src/http/console/console-pages.ts';
import { type EdgeUnderTest, edgeWith, type RigOptions } from './rig.ts';

export const INDEX = '<!doctype html><title>Parlance</title><script type="module" src="/app/assets/index-D3x_a8Zk.js"></script>';
export const SCRIPT = 'console.log("the console");\n'.repeat(50);

export const FRAME = '<!doctype html><title>Preview</title>';

export const SECRET = 'not of the console';

export const FILES: Readonly<Record<string, string>> = {
  'index.html': INDEX,
  'artifact-frame.html': FRAME,
  'assets/index-D3x_a8Zk.js': SCRIPT,
  'assets/index-D3x_a8Zk.js.map': '{}',
  'assets/style-BmR-91cx.css': 'body { margin: 0 }',
  'assets/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/text-Ck28dj1Q.woff2': 'a font',
  'console.webmanifest': '{"name":"Parlance"}',
  'words.json': '{"first_name":"First name"}',
  '.hidden/notes.txt': 'hidden',
  'program.exe': 'MZ',
};
const ENCODED = ['index.html', 'assets/index-D3x_a8Zk.js'];

/** A folder like the one that the build of the console creates, next to a secret file, and with links to that file. */
export async function builtConsole(files = FILES): Promise<{ readonly above: string; readonly folder: string }> {
  const above = await mkdtemp(join(tmpdir(), 'parlance-console-'));
  const folder = join(above, 'dist');
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    if (!ENCODED.includes(path)) continue;
    await writeFile(`${file}.br`, brotliCompressSync(content));
    await writeFile(`${file}.gz`, gzipSync(content));
  }
  await writeFile(join(above, 'secret.txt'), SECRET);
  await symlink(join(above, 'secret.txt'), join(folder, 'linked.txt'));
  await symlink(above, join(folder, 'up'));
  return { above, folder };
}

/** An edge that serves these files as the console, whatever is built in this workspace. */
export async function edgeWithConsole(files: ConsoleFiles | null, settings: RigOptions['settings'] = {}): Promise<EdgeUnderTest> {
  const edge = await edgeWith({}, { settings: { PARLANCE_PUBLISHED_DOMAIN: 'apis.example.org', ...settings } });
  edge.app.get(ConsolePages).files = files;
  return edge;
}
