import { resultCsv } from './result-csv.ts';

const csvOf = (...rows: unknown[][]) =>
  resultCsv({
    columns: [
      { name: 'a', type: 'VARCHAR' },
      { name: 'b,c', type: 'BIGINT' },
    ],
    rows,
    truncated: false,
  });

describe('a result as CSV', () => {
  it('has a header line, and quotes values that contain a comma, a quote or a line break', () =>
    expect(csvOf(['say "x"', 1], ['two\nlines', null])).toBe('a,"b,c"\r\n"say ""x""",1\r\n"two\nlines",\r\n'));
  it.each([['=1+1'], ['@SUM(A1)'], ['+cmd'], ['-cmd'], ['-1+cmd'], ['-1.5e3+x']])('is not a formula in a spreadsheet: %s', (text) =>
    expect(csvOf([text, 0])).toContain(`'${text},0`),
  );
  it('keeps negative numbers, including those in strings', () => expect(csvOf([-1, '-2.5'])).toContain('\r\n-1,-2.5\r\n'));
  it('writes objects as JSON', () => expect(csvOf([{ x: 1 }, true])).toContain('"{""x"":1}",true'));
});
