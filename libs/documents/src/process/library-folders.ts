import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/**
 * The folders of libraries that code in `folder` may load: each `node_modules` beside it and above it, and the real folders of packages that
 * are linked there. Node resolves a link before it checks the permission. Links to folders outside any `node_modules` are packages of a
 * workspace, which are left out: they may contain a data directory, and this library needs none of them.
 */
export function libraryFolders(folder: string): readonly string[] {
  const found = new Set<string>();
  for (const modules of modulesAbove(folder)) collect(modules, found);
  return [...found];
}

function modulesAbove(folder: string): readonly string[] {
  const parent = dirname(folder);
  return [join(folder, 'node_modules'), ...(parent === folder ? [] : modulesAbove(parent))];
}

function collect(modules: string, found: Set<string>): void {
  if ([...found].some((each) => isWithin(modules, each))) return;
  found.add(modules);
  const real = realPath(modules);
  if (real === undefined) return;
  if (real !== modules) return collect(real, found);
  for (const entry of linksIn(modules)) {
    const home = homeOf(realPath(entry) ?? '');
    if (home !== undefined) collect(home, found);
  }
}

/** The links to packages, including those in folders of scopes. */
function linksIn(modules: string): readonly string[] {
  return entriesOf(modules).flatMap((entry) => {
    const path = join(modules, entry.name);
    if (entry.isSymbolicLink()) return [path];
    if (!entry.isDirectory() || !entry.name.startsWith('@')) return [];
    return entriesOf(path)
      .filter((each) => each.isSymbolicLink())
      .map(({ name }) => join(path, name));
  });
}

/** The `node_modules` that contains a package. */
function homeOf(path: string): string | undefined {
  const at = path.lastIndexOf(`${sep}node_modules${sep}`);
  return at === -1 ? undefined : path.slice(0, at + `${sep}node_modules`.length);
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(folder + sep);

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
