/** Static imports, in the form in which the build writes them. */
const STATIC_IMPORT = /(?:\bfrom|\bimport)\s*["'](\.{1,2}\/[^"']+)["']/g;
/** The manifest and other icons are only read when the console is installed. */
const IN_HTML = /(?:src|href)="\/app\/([^"]+\.(?:js|css|svg))"/g;

/** The files that a browser loads for the first page: the files in index.html and their static imports. `later` names further files. */
export async function startFiles(read: (file: string) => Promise<string>, later: readonly string[] = []): Promise<string[]> {
  const found = new Set(['index.html']);
  for (const [, file] of (await read('index.html')).matchAll(IN_HTML)) await addWithImports(file!, found, read);
  for (const file of later) await addWithImports(file, found, read);
  return [...found];
}

async function addWithImports(file: string, found: Set<string>, read: (file: string) => Promise<string>): Promise<void> {
  if (found.has(file)) return;
  found.add(file);
  if (!file.endsWith('.js')) return;
  for (const [, path] of (await read(file)).matchAll(STATIC_IMPORT)) {
    await addWithImports(new URL(path!, `http://here.invalid/${file}`).pathname.slice(1), found, read);
  }
}
