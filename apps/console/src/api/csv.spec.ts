import { csvOf } from './csv.ts';

describe('a table in CSV', () => {
  it('has the columns in its first line and ends each line with CR LF', () =>
    expect(csvOf(['name', 'cost'], [['Ada', 1.5]])).toBe('name,cost\r\nAda,1.5\r\n'));

  it('quotes texts with commas, quotes or line ends', () =>
    expect(csvOf(['a'], [['one, "two"'], ['x\ny']])).toBe('a\r\n"one, ""two"""\r\n"x\ny"\r\n'));

  it.each(['=1+1', '+1', '-1', '@cmd', ' =1+1', '\uff1d1+1'])('puts an apostrophe before the text %j', (text) =>
    expect(csvOf(['a'], [[text]])).toBe(`a\r\n'${text}\r\n`),
  );

  it.each(['\tx', '\n=1+1'])('puts the apostrophe inside the quotes for %j', (text) =>
    expect(csvOf(['a'], [[text]])).toBe(`a\r\n"'${text}"\r\n`),
  );

  it('quotes texts with semicolons, which separate cells in some spreadsheets', () =>
    expect(csvOf(['a'], [['x;=1+1']])).toBe('a\r\n"x;=1+1"\r\n'));

  it('leaves negative numbers and empty cells as they are', () => expect(csvOf(['a', 'b'], [[-1, null]])).toBe('a,b\r\n-1,\r\n'));
});
