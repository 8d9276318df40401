import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { rowsOf, valueIn } from './database-export.ts';

const directory = mkdtempSync(join(tmpdir(), 'litellm-export-'));
afterAll(() => rmSync(directory, { recursive: true }));

const rows = async (name: string, text: string) => {
  writeFileSync(join(directory, name), text);
  const found = [];
  for await (const { line, fields } of rowsOf(directory, name.split('.')[0]!)) found.push([line, fields]);
  return found;
};

describe('the rows of an exported table', () => {
  it('are read from JSON lines, also if some cannot be read', async () =>
    expect(await rows('Lines.jsonl', '{"a":1}\n\nnonsense\n[]\n{"a":2}')).toEqual([
      [1, { a: 1 }],
      [3, null],
      [4, null],
      [5, { a: 2 }],
    ]));
  it('are read from CSV with quotes, commas and line breaks in cells', async () =>
    expect(await rows('Cells.csv', '\uFEFFa,b\r\n"x, ""y""\nz",\r\n1\n2,3')).toEqual([
      [2, { a: 'x, "y"\nz', b: null }],
      [3, null],
      [4, { a: '2', b: '3' }],
    ]));
  it('end with an error if a quote is missing', async () =>
    await expect(rows('Quote.csv', `a\n"${'x'.repeat(4_200_000)}`)).rejects.toThrow('Is a quote missing?'));
  it('are none without a file', async () => expect((await rowsOf(directory, 'Other').next()).done).toBe(true));
});

describe('a cell of PostgreSQL', () => {
  it.each([
    ['', null],
    ['{}', {}],
    ['{a,"b c","d\\"e"}', ['a', 'b c', 'd"e']],
    ['{"tags": ["x"]}', { tags: ['x'] }],
    ['t', 't'],
    ['2027-01-01 00:00:00', '2027-01-01 00:00:00'],
  ])('%j is %j', (cell, value) => expect(valueIn(cell)).toEqual(value));
});
