import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TREES } from '@parlance/installation';

/** The folder of the links, in the data directory. */
export const LINKS = 'backing-up';
/** Uploads that are being received. */
const DRAFTS = '@drafts';
/** Errors of file systems that do not support links, or not as many links. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);

/** Removes links that a killed process left. Such links occupy the disk space of files that were removed later. */
export const removeLinks = (data: string): Promise<void> => rm(join(data, LINKS), { recursive: true, force: true });

/**
 * Links the files of all trees, so that the files can still be copied after the product has removed them. Returns the folder of
 * the links. A file system without links gets copies.
 */
export async function linkTrees(data: string): Promise<string> {
  await removeLinks(data);
  const links = join(data, LINKS);
  await mkdir(links, { mode: 0o700 });
  for (const tree of TREES) if (existsSync(join(data, tree))) await linkTree(join(data, tree), join(links, tree));
  return links;
}

async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for await (const entry of await opendir(from)) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && entry.name !== DRAFTS) await linkTree(source, target).catch(ignoreGone);
    else if (entry.isFile()) await link(source, target).catch((error) => copyInstead(error, source, target));
  }
}

async function copyInstead(error: NodeJS.ErrnoException, source: string, target: string): Promise<void> {
  if (NO_LINKS.has(error.code ?? '')) await copyFile(source, target).catch(ignoreGone);
  else ignoreGone(error);
}

/** Removed or renamed meanwhile: a file that no event of the backup names. */
function ignoreGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
