import { describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { acceptsCsv, csv, csvCell, csvList, MOST_CSV_ROWS } from './csv.ts';
import type { PageQuery } from './query.ts';

describe('a request for CSV', () => {
  it.each(['text/csv', 'application/json, text/csv', 'TEXT/CSV; charset=utf-8', 'text/csv;q=0.5, */*'])('is %j', (accept) => {
    expect(acceptsCsv(accept)).toBe(true);
  });
  it.each([undefined, '', '*/*', 'text/*', 'text/csv;q=0', 'text/csvx', 'application/json'])('is not %j', (accept) => {
    expect(acceptsCsv(accept)).toBe(false);
  });
});

describe('a cell', () => {
  it.each([
    ['plain', 'plain'],
    [null, ''],
    [-1.5, '-1.5'],
    [1_000, '1000'],
    [5e-9, '0.000000005'],
    [1.25e-7, '0.000000125'],
    [true, 'true'],
    [['Admin', 'Sales'], 'Admin Sales'],
    ['a,b', '"a,b"'],
    ['say "so"', '"say ""so"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['@x', "'@x"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['\tx', "'\tx"],
    ['=A1,"x"', `"'=A1,""x"""`],
    [['=group'], "'=group"],
    [' =1+1', "' =1+1"],
    ['\n=1+1', `"'\n=1+1"`],
    ['\uff1d1+1', "'\uff1d1+1"],
    ['a=1', 'a=1'],
  ])('of %j is %j', (value, cell) => expect(csvCell(value)).toBe(cell));
});

describe('a list of pages', () => {
  const headers: Record<string, string> = {};
  const reply = {
    type: (value: string) => reply.header('content-type', value),
    header: (name: string, value: string) => {
      headers[name] = value;
      return reply;
    },
  };
  const answered = reply as unknown as FastifyReply;
  const columns = ['a'] as const;

  it('is read page by page to the end, as a file named after the list', async () => {
    const requested: (string | undefined)[] = [];
    const read = async ({ next_token }: PageQuery) => {
      requested.push(next_token);
      return { own_things: [{ a: next_token ?? 'first' }], next_token: next_token === undefined ? 'second' : null };
    };
    const file = await csvList(answered, { list: 'own_things', columns, read });
    expect((await file.toArray()).join('')).toBe('a\r\nfirst\r\nsecond\r\n');
    expect(requested).toEqual([undefined, 'second']);
    expect(headers).toEqual({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="own-things.csv"',
    });
  });
  it('is refused before the answer begins', async () => {
    const read = () => Promise.reject(new Error('refused'));
    await expect(csvList(answered, { list: 'things', columns, read })).rejects.toThrow('refused');
  });
});

describe('a table', () => {
  async function* pages(count: number, size: number) {
    for (let page = 0; page < count; page++) yield Array.from({ length: size }, (_, row) => ({ a: page, b: `${row},` }));
  }
  const text = async (count: number, size: number) => (await csv(['a', 'b'], pages(count, size)).toArray()).join('');

  it('has the names of its columns, and its rows in their order', async () => {
    expect(await text(2, 1)).toBe('a,b\r\n0,"0,"\r\n1,"0,"\r\n');
  });
  it('has the column names even without rows', async () => expect(await text(0, 0)).toBe('a,b\r\n'));
  it('ends after the maximum number of rows', async () => {
    expect((await text(3, MOST_CSV_ROWS / 2)).split('\r\n')).toHaveLength(MOST_CSV_ROWS + 2);
  });
});
