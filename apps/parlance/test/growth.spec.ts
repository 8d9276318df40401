import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Tables of read models. */
const DECLARED = /\btable(?:<[^(]*>)?\(\s*'(\w+)'/g;
/** Tables of SQLite, and collections of MongoDB. */
const CREATED =
  /CREATE TABLE (?:IF NOT EXISTS )?(\w+)|\bcollection(?:<\w+>)?\('(\w+)'|\bcollection = '(\w+)'|WatcherRegistry\(db, '(\w+)'/g;
/** Tables of earlier releases, which an upgrade removes. */
const DROPPED = /DROP TABLE (\w+)|dropTable\(file, '(\w+)'/g;
/** The section of the tables that all services have. */
const COMMON = 'Every service';
/** Each index of knowledge is a file with tables. The page lists the file. */
const INDEXES = 'libs/retrieval/';

async function namesIn(file: string, pattern: RegExp): Promise<string[]> {
  return Array.from((await readFile(`${root}/${file}`, 'utf8')).matchAll(pattern), (match) => match.slice(1).find(Boolean) ?? '');
}

async function sources(folder: 'apps' | 'libs'): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(`${folder}/*/src/**/*.ts`, { cwd: root, exclude: (name) => name.endsWith('.spec.ts') }))
    if (!file.startsWith(INDEXES)) files.push(file);
  return files;
}

/** Each table as its section and its name. Two services may have tables of the same name. */
async function tablesInSource(): Promise<string[]> {
  const found = new Set<string>();
  for (const file of await sources('apps')) {
    const service = file.split('/')[1]!;
    for (const name of await namesIn(file, DECLARED)) found.add(`${service}: ${name}`);
    // The library of revocations declares their table, and services fill it.
    if ((await namesIn(file, /tables: \[(revocationRows)\]/g)).length > 0) found.add(`${service}: revocations`);
  }
  const dropped = new Set<string>();
  for (const file of await sources('libs')) {
    for (const name of await namesIn(file, CREATED)) found.add(`${COMMON}: ${name}`);
    for (const name of await namesIn(file, DROPPED)) dropped.add(`${COMMON}: ${name}`);
  }
  return [...found].filter((table) => !dropped.has(table)).sort();
}

/** The first cells of the tables whose first column has this title, each with the service or section. */
function listedIn(page: string, title: string): { readonly section: string; readonly cell: string }[] {
  const listed: { section: string; cell: string }[] = [];
  let [section, isListed] = ['', false];
  for (const line of page.split('\n')) {
    section = /^##+ (.*)/.exec(line)?.[1] ?? section;
    if (!line.startsWith('|')) isListed = false;
    const cell = line.split('|')[1]?.trim() ?? '';
    if (isListed && cell.startsWith('`')) listed.push({ section, cell });
    if (cell === title) isListed = true;
  }
  return listed;
}

async function read(path: string): Promise<string> {
  return readFile(`${root}/${path}`, 'utf8');
}

describe('the page about growth', () => {
  it('lists each table of the source, and no other', async () => {
    const tables = await tablesInSource();
    expect(tables.length).toBeGreaterThan(120);
    const listed = listedIn(await read('docs/reference/growth.md'), 'Table');
    expect(listed.map(({ section, cell }) => `${section}: ${cell.slice(1, -1)}`).sort()).toEqual(tables);
  });

  it('lists each stream that the README of its service describes, and no other', async () => {
    const described: string[] = [];
    for await (const file of glob('apps/*/README.md', { cwd: root })) {
      const streams = listedIn(await read(file), 'Stream');
      described.push(...streams.map(({ cell }) => `${file.split('/')[1]!}: ${cell}`));
    }
    // All services have these, so the page lists each of them once.
    const isCommon = (stream: string) => /`(refusal|view)-<id>`/.test(stream);
    const listed = listedIn(await read('docs/reference/growth.md'), 'Stream').map(({ section, cell }) => `${section}: ${cell}`);
    expect(listed.filter((stream) => !isCommon(stream)).sort()).toEqual(described.filter((stream) => !isCommon(stream)).sort());
    expect(described.length).toBeGreaterThan(50);
  });
});
