import { channel } from 'node:diagnostics_channel';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';

const packed = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin/chromium.br');
const folder = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
const file = join(folder, 'chromium-153');

/** Unpacked once. The package's own function unpacks without a lock, so two processes at once break each other. */
async function executable(): Promise<string> {
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  const part = `${file}.${process.pid}.part`;
  try {
    await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(part));
    await chmod(part, 0o755);
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
  return file;
}

/** Chromium without a window. Close it. */
export async function launch(): Promise<Browser> {
  channel('parlance.test.start').publish('Chromium');
  return chromium.launch({
    executablePath: await executable(),
    args: ['--headless=shell', '--no-sandbox', '--font-render-hinting=none', '--disable-gpu'],
  });
}
