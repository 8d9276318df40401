import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { noteStart, shared } from '@parlance/testing';

const packed = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin/chromium.br');
const folder = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
const file = join(folder, 'chromium-153');

/** Unpacks the browser once. The package's own function takes no lock, so two processes that unpack at the same time get a broken file. */
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

/** Starts headless Chromium. The caller closes it. */
export async function launch(options: LaunchOptions = {}): Promise<Browser> {
  noteStart('Chromium');
  return chromium.launch({
    ...options,
    executablePath: await executable(),
    args: [
      '--headless=shell',
      '--no-sandbox',
      '--font-render-hinting=none',
      '--disable-gpu',
      // A fake microphone that beeps, and is allowed without asking, because nobody could answer.
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--mute-audio',
    ],
  });
}

/**
 * The browser that all spec files in this process share. Close the contexts, not the browser: it does not keep this process running, and exits
 * with it when its pipes are closed.
 */
export function sharedChromium(): Promise<Browser> {
  return shared('Chromium', launchUnreferenced, (browser) => browser.isConnected());
}

async function launchUnreferenced(): Promise<Browser> {
  // Playwright does not expose its child process.
  const children: ChildProcess[] = [];
  const note = (message: unknown) => void children.push((message as { readonly process: ChildProcess }).process);
  subscribe('child_process', note);
  try {
    // Otherwise Playwright would close the browser at a signal, and keep the signal from ending this process.
    return await launch({ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false });
  } finally {
    unsubscribe('child_process', note);
    for (const child of children.filter(({ spawnfile }) => spawnfile === file)) {
      child.unref();
      for (const pipe of child.stdio) (pipe as Partial<Pick<ChildProcess, 'unref'>> | null | undefined)?.unref?.();
    }
  }
}
