import { existsSync, readFileSync } from 'node:fs';
import { path } from './workspace.mjs';

/** The files and names in the table of docs/architecture.md that do not exist, one message each. */
export function missingNames(document) {
  const rows = document.split('\n').flatMap((line) => {
    const [, , file, code] = line.split('|').map((cell) => cell.trim());
    return /^`(apps|libs)\/.+\.ts`$/.test(file ?? '') ? [{ file: file.slice(1, -1), names: namesIn(code) }] : [];
  });
  if (rows.length === 0) return ['docs/architecture.md has no table of files.'];
  return rows.flatMap(({ file, names }) => {
    if (!existsSync(path(file))) return [`docs/architecture.md names ${file}, which does not exist.`];
    if (names.length === 0) return [`docs/architecture.md names nothing in ${file}.`];
    const text = readFileSync(path(file), 'utf8');
    return names
      .filter((name) => !declares(text, name))
      .map((name) => `docs/architecture.md names ${name}, which ${file} does not declare.`);
  });
}

function namesIn(code) {
  return [...code.matchAll(/`([\w.]+)`/g)].map(([, name]) => name);
}

function declares(text, name) {
  const [first, method] = name.split('.');
  const declaration = new RegExp(`^(export )?(abstract )?(async )?(class|const|function) ${first}\\b`, 'm').exec(text);
  if (!declaration || !method) return declaration !== null;
  const [body] = text.slice(declaration.index).split(/^\}/m);
  return new RegExp(`^  ((private|override|abstract|static|async) )*${method}[(<]`, 'm').test(body);
}
