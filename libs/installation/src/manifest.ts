import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Mark } from './mark.ts';

export const MANIFEST = 'manifest.json';
const FORMAT = 1;

/** The logs of the installation in a data directory, with their marks. */
export interface Manifest {
  readonly format: typeof FORMAT;
  readonly installation: string;
  /** Marks by the name of the file without `.db`. */
  readonly logs: Readonly<Record<string, Mark>>;
  /** Set if the data were restored from a backup. */
  readonly restored?: { readonly installation: string; readonly cut: string };
}

/** Thrown by `readManifest` if the file exists and cannot be used. */
export class ManifestUnreadable extends Error {
  constructor(path: string, detail: string) {
    super(`${path} ${detail}`);
    this.name = 'ManifestUnreadable';
  }
}

export function newManifest(installation: string, more: Partial<Pick<Manifest, 'logs' | 'restored'>> = {}): Manifest {
  return { format: FORMAT, installation, logs: {}, ...more };
}

/** Null if there is no manifest. Throws `ManifestUnreadable`. */
export function readManifest(directory: string): Manifest | null {
  const path = join(directory, MANIFEST);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new ManifestUnreadable(path, `can't be read (${code})`);
  }
  try {
    const manifest = JSON.parse(text) as Manifest;
    if (manifest.format > FORMAT) throw new ManifestUnreadable(path, 'was written by a newer version of Parlance');
    if (manifest.format === FORMAT && typeof manifest.installation === 'string' && typeof manifest.logs === 'object') return manifest;
  } catch (error) {
    if (error instanceof ManifestUnreadable) throw error;
  }
  throw new ManifestUnreadable(path, 'is damaged');
}

/** Writes a file atomically: a kill at any moment leaves the old or the new content. The file is durable when this resolves. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncPath(dirname(path));
}

/** Syncs a file, or the entries of a directory. */
export async function syncPath(path: string): Promise<void> {
  const opened = await open(path, 'r');
  await opened.sync().finally(() => opened.close());
}

export const writeManifest = (directory: string, manifest: Manifest): Promise<void> =>
  writeWhole(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
