const FIRST_SAFE = [3, 51, 3] as const;

/**
 * Throws for a version that may lose pages: a checkpoint that begins right after another one may skip pages that were not copied yet
 * (https://www.sqlite.org/wal.html#walresetbug).
 */
export function assertSafe({ version }: { readonly version: string }): void {
  const parts = version.split('.').map(Number);
  const differing = FIRST_SAFE.findIndex((part, place) => parts[place] !== part);
  if (differing >= 0 && !(parts[differing]! > FIRST_SAFE[differing]!))
    throw new Error(`SQLite ${version} may lose data; use the version of Node that package.json names, which has SQLite 3.51.3 or later`);
}
