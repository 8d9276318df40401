// Builds the console into dist/, with a .br and a .gz copy of each text file.
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { build } from 'vite';

const folder = fileURLToPath(new URL('.', import.meta.url));
const TEXT = /\.(js|css|html|svg|json|webmanifest)$/;

await build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' });
const files = (await readdir(join(folder, 'dist'), { recursive: true })).filter((name) => TEXT.test(name));
await Promise.all(
  files.map(async (name) => {
    const file = join(folder, 'dist', name);
    const brotli = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    await pipeline(createReadStream(file), brotli, createWriteStream(`${file}.br`));
    await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`));
  }),
);
