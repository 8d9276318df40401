import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cited } from './citations.ts';

const document = (id: string, more: object = {}) => ({
  id,
  name: `${id}.pdf`,
  link: `s3://kb/${id}.pdf`,
  page: null,
  content: `of ${id}`,
  ...more,
});
const chunk = (rank: number) => ({ content: `c${rank}`, content_type: 's3', source: `s3://kb/${rank}.pdf`, rank });
/** The content that each marker of the text names. */
const namedBy = ({ text, chunks }: ReturnType<typeof cited>) =>
  [...text.matchAll(/\[\^(\d+)\]/g)].map(([, n]) => chunks.find(({ rank }) => rank === Number(n))?.content);

describe('the citations of version 3', () => {
  it('become numbers in the order of the text, with the documents under them', () => {
    const found = cited('Blue[^tooluse_b@1]. Wet[^tooluse_a@0][^tooluse_b@1].', null, [document('tooluse_a@0'), document('tooluse_b@1')]);
    expect(found.text).toBe('Blue[^1]. Wet[^2][^1].');
    expect(found.chunks).toMatchObject([
      { rank: 1, content: 'of tooluse_b@1', source: 's3://kb/tooluse_b@1.pdf', source_name: 'tooluse_b@1.pdf' },
      { rank: 2, content: 'of tooluse_a@0' },
    ]);
  });
  it('are followed by the documents that the text does not cite', () => {
    const { chunks } = cited('Blue[^t@1].', null, [document('t@0'), document('t@1')]);
    expect(chunks.map(({ rank, content }) => [rank, content])).toEqual([
      [1, 'of t@1'],
      [2, 'of t@0'],
    ]);
  });
  it('stay as they are, and are reported, if their document is missing', () => {
    expect(cited('Blue[^t@0][^gone@3].', null, [document('t@0')])).toMatchObject({ text: 'Blue[^1][^gone@3].', missing: ['gone@3'] });
  });
  it('do not reuse numbers that the text already has', () => {
    expect(cited('Blue[^2][^t@0].', null, [document('t@0')])).toMatchObject({ text: 'Blue[^2][^3].', chunks: [{ rank: 3 }] });
  });
  it('have one document for all chunks of a file', () => {
    const link = 's3://kb/handbook.pdf';
    const { chunks } = cited('', null, [document('t@0', { link }), document('t@1', { link }), document('t@2')]);
    const [first, second, third] = chunks.map(({ source_id }) => source_id);
    expect(first).toBe(second);
    expect(first).not.toBe(third);
  });
  it('show the readable name of a file', () =>
    expect(cited('', null, [document('t@0', { name: 'Q3%20report.pdf' })]).chunks).toMatchObject([{ source_name: 'Q3 report.pdf' }]));
});

describe('the citations of version 2', () => {
  it('count from 1 if the source counted from 0, also in the text', () => {
    const found = cited('Blue[^0]. Wet[^2][^1].', [chunk(0), chunk(1), chunk(2)], []);
    expect(found.text).toBe('Blue[^1]. Wet[^3][^2].');
    expect(namedBy(found)).toEqual(['c0', 'c2', 'c1']);
  });
  it('stay if the source counted from 1', () => {
    const found = cited('Blue[^1]. Wet[^3].', [chunk(1), chunk(3)], []);
    expect([found.text, namedBy(found)]).toEqual(['Blue[^1]. Wet[^3].', ['c1', 'c3']]);
  });
  it('do not give a source to a number that had none', () =>
    expect(namedBy(cited('Blue[^0][^1].', [chunk(0)], []))).toEqual(['c0', undefined]));
  it.each(['`[^0]`', '```\n[^0]\n```', '~~~\n[^0]'])('are not searched in code: %j', (code) =>
    expect(cited(`${code}`, [chunk(0)], []).text).toBe(code),
  );
});

const ids = ['a@0', 'a@1', 'b@0', 'c@12'];
it('each marker names the same content as in the source, in any text', () => {
  const part = fc.oneof(
    fc.constantFrom('Blue. ', '\n', 'wet '),
    fc.constantFrom(...ids).map((id) => `[^${id}]`),
    fc.nat(9).map((rank) => `[^${rank}]`),
  );
  const ranks = fc.uniqueArray(fc.nat(9));
  fc.assert(
    fc.property(fc.array(part), ranks, fc.subarray(ids), (parts, raw, documents) => {
      const found = cited(
        parts.join(''),
        raw.map(chunk),
        documents.map((id) => document(id)),
      );
      const expected = parts.flatMap((each) => {
        const [, rank] = /^\[\^(\d+)\]$/.exec(each) ?? [];
        const [, id = ''] = /^\[\^(.+@\d+)\]$/.exec(each) ?? [];
        if (rank !== undefined) return [raw.includes(Number(rank)) ? `c${rank}` : undefined];
        return documents.includes(id) ? [`of ${id}`] : [];
      });
      expect(namedBy(found)).toEqual(expected);
      expect(new Set(found.chunks.map(({ rank }) => rank)).size).toBe(found.chunks.length);
      expect(found.chunks.every(({ rank }) => rank >= 1)).toBe(true);
    }),
  );
});
