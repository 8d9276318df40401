// Builds the console into dist/ with its service worker, and a .br and a .gz copy of each text file.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { build } from 'vite';
import { startFiles } from './start-files.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const TEXT = /\.(js|css|html|svg|json|webmanifest)$/;

await build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' });
await writeServiceWorker();
const files = (await readdir(join(folder, 'dist'), { recursive: true })).filter((name) => TEXT.test(name));
await Promise.all(
  files.map(async (name) => {
    const file = join(folder, 'dist', name);
    const brotli = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    await pipeline(createReadStream(file), brotli, createWriteStream(`${file}.br`));
    await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`));
  }),
);

/** The service worker keeps the files of the first page. Its version changes with each of them and with itself. */
async function writeServiceWorker() {
  const read = (file) => readFile(join(folder, 'dist', file), 'utf8');
  const paths = (await startFiles(read)).filter((path) => path !== 'index.html');
  const code = await readFile(join(folder, 'service-worker.js'), 'utf8');
  const contents = await Promise.all(['index.html', ...paths].map(read));
  const version = createHash('sha256')
    .update(JSON.stringify([code, ...contents]))
    .digest('hex')
    .slice(0, 16);
  const shell = paths.map((path) => `/app/${path}`);
  await writeFile(
    join(folder, 'dist/service-worker.js'),
    `const VERSION = '${version}';\nconst SHELL = ${JSON.stringify(shell)};\n${code}`,
  );
}
