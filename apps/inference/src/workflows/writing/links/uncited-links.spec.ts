import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CitedUrls, LONGEST_URL } from './cited-urls.ts';
import { REMOVED, UncitedLinks } from './uncited-links.ts';

const cited = 'https://docs.example.org/refunds?page=3';
/** A link in a message of the user. */
const own = 'https://news.example.net/today?id=1';
const image = 'https://docs.example.org/map.png';
const sources = new CitedUrls({
  instruction: 'Point to www.example.com/help for more.',
  turns: [
    { role: 'user', text: `Sum up ${own} please.` },
    { role: 'assistant', text: 'It is like https://evil.test/said.' },
    { role: 'tool', text: '', results: [{ callId: '1', text: 'https://evil.test/found', isError: false }] },
    { role: 'user', text: 'Go on.' },
  ] as never,
  knowledge: {
    showsSources: true,
    chunks: [{ content: `Refunds take 14 days (see ${cited}). ![Map](${image})`, source: 'https://docs.example.org/' }],
  } as never,
});

/** The parts of the text, as they are shown. */
function shown(parts: readonly string[], earlier = ''): readonly string[] {
  const links = new UncitedLinks(sources, earlier);
  return [...parts.map((part) => links.add(part)), links.end()];
}
const strip = (text: string, earlier = '') => shown([text], earlier).join('');

describe('links of an answer', () => {
  it.each([
    `See ${cited}.`,
    `Of ${own}: [today](${own})`,
    `See (${cited}), or <${cited}>`,
    `[the page](${cited}) and [the page](<${cited}>)`.replace(`<${cited}>`, cited),
    `[the page](${cited} "Refunds")`,
    `![Map](${image})`,
    `<img src="${image}" alt="Map"> <a href='${cited}'>page</a>`,
    '`www.example.com/help`',
    'All is at https://docs.example.org/ now.',
    'Awww.thank you',
    `[page][1]\n\n[1]: ${cited}\n`,
    `[${cited}](${cited})`,
  ])('stay if they are in a source: %s', (text) => expect(strip(text)).toBe(text));

  it.each([
    ['See https://evil.test/?q=secret.', `See ${REMOVED}.`],
    [`See https://evil.test/said and https://evil.test/found`, `See ${REMOVED} and ${REMOVED}`],
    [`See ${own}&more=1`, `See ${REMOVED}`],
    ['See HTTPS://evil.test now', `See ${REMOVED} now`],
    ['See www.evil.test/a!', `See ${REMOVED}!`],
    ['<https://evil.test/a>', REMOVED],
    ['<mailto:eve@evil.test>', REMOVED],
    ['//evil.test/a', REMOVED],
    ['gopher://evil.test/a', `gopher:${REMOVED}`],
    ['![secret](https://evil.test/secret.png)', '![secret]'],
    ['[page](https://evil.test "title")', '[page]'],
    ['[page](<//evil.test/a>)', '[page]'],
    ['[page](https://evil.test/a\\)b)', '[page]'],
    ['[page](https://evil.test/a\n\nNext) text', `[page] (${REMOVED}\n\nNext) text`],
    [`[page](${cited}!?)`, '[page]'],
    [`https://evil.test/${'a'.repeat(3 * LONGEST_URL)} then <b>bold</b>`, `${REMOVED} then <b>bold</b>`],
    ['[page](/admin)', '[page]'],
    ['[page](https&colon;//evil.test)', '[page]'],
    ['[page](javascript:alert`1`)', '[page]'],
    ['[![alt](https://evil.test/a)](https://evil.test/b)', '[![alt]]'],
    ['<img src="https://evil.test/a">', ''],
    ['<img src="&#104;ttps://evil.test/a">', ''],
    ['<a href="https://evil.test/a" onclick="x()">page</a>', 'page</a>'],
    ['<svg/onload=alert(1)>', ''],
    ['<div style="background:url(x)">', ''],
    ['<img alt="<" src="x">', '&lt;img alt="'],
    ['<img src=x', '&lt;img src=x'],
    ['[1]: https://evil.test/a\n', `[1] : ${REMOVED}\n`],
    ['[1]: /admin\n', '[1] : /admin\n'],
    ['[1]: https\\://evil.test\n', `[1] : https\\:${REMOVED}\n`],
    // Only the beginning is in a source.
    [`${cited}&q=secret`, REMOVED],
    [`${cited}/secret`, REMOVED],
    [`${cited})?q=secret`, REMOVED],
    [`${cited}]?q=secret`, `${REMOVED}]?q=secret`],
    [`[page](${cited}#secret)`, '[page]'],
    [`[page](${cited} "x" https://evil.test)`, `[page](${cited})`],
  ])('are removed if they are in no source: %s', (text, left) => expect(strip(text)).toBe(left));

  it('stay within brackets of a link that contains another link', () =>
    expect(strip(`[note](/a [page](${cited}))`)).toBe(`[note] (/a [page](${cited}))`));

  it.each([
    'if (a < b && items[0](next)) i<n; x // comment',
    'Array<string>, Map<K, V>',
    '[^1] and [2]',
    'and/or 10:30 a//b',
    'see section [3] (below)',
  ])('are not detected in other texts: %s', (text) => expect(strip(text)).toBe(text));

  it('are not formed from a text that was shown and its continuation', () => {
    expect(strip('://evil.test/a', 'See https')).not.toContain('https://');
    expect('See https' + strip('://evil.test/a', 'See https')).not.toContain('https://');
    expect(cited + strip('&q=secret', cited)).toBe(`${cited} &q=secret`);
    expect(strip('secret', 'A word. ')).toBe('secret');
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '](',
      ']:',
      '![',
      '<',
      '>',
      '<a href="',
      '<img src=',
      '"',
      "'",
      '`',
      '\\',
      '//',
      ':',
      '/',
      '\n',
      ' ',
      '&#104;',
      'h',
      'ttp',
      'www.',
      '&',
    ),
    fc.constantFrom(
      'https://evil.test/secret',
      'http://evil.test',
      'www.evil.test/a',
      '//evil.test/b',
      'ftp://evil.test',
      cited,
      image,
      'www.example.com/help',
    ),
    fc.string({ maxLength: 4 }),
  );
  const splits = fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 60 });
  const parted = (text: string, sizes: readonly number[]): string[] => {
    const parts: string[] = [];
    for (let at = 0, index = 0; at < text.length; index++) {
      const size = 1 + sizes[index % sizes.length]!;
      parts.push(text.slice(at, at + size));
      at += size;
    }
    return parts;
  };
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  it('are the same however the text is split, and no uncited address is in any beginning of it', () => {
    fc.assert(
      fc.property(text, splits, (whole, sizes) => {
        const parts = shown(parted(whole, sizes));
        expect(parts.join('')).toBe(strip(whole));
        expect(parts.join('')).not.toMatch(/(?:https?|ftp):\/\/evil|(?<![a-z0-9])www\.evil|\/\/evil/i);
      }),
      { numRuns: 2_000 },
    );
  });
  it('have no target in Markdown without a source', () => {
    fc.assert(
      fc.property(text, (whole) => {
        for (const [, target] of strip(whole).matchAll(/\]\(\s*<?([^)\s>]*)/g))
          expect(['', cited, image, 'www.example.com/help']).toContain(/[:/]/.test(target!) ? target : '');
      }),
      { numRuns: 2_000 },
    );
  });
  it.each(['<', '](', ']:', '//', 'http://', 'www.', '<a ', '<img ', '[![', '(', 'h', '://', '<a href="', ']: a'])(
    'cost time in proportion to the text: many times %s',
    (part) => {
      // The minimum of several tries, because some include a garbage collection.
      const timeOf = (times: number) => {
        const whole = part.repeat(times);
        const tries = Array.from({ length: 4 }, () => {
          const start = process.threadCpuUsage();
          strip(whole);
          const { user, system } = process.threadCpuUsage(start);
          return user + system;
        });
        return Math.min(...tries);
      };
      timeOf(16_000);
      // Quadratic work would take 64 times as long.
      expect(timeOf(64_000)).toBeLessThan(24 * Math.max(timeOf(8_000), 4_000));
    },
  );
  it('are removed if they exceed the length limit', () => {
    const link = (length: number) => `https://docs.example.org/${'a'.repeat(length - 25)}`;
    const long = new CitedUrls({ instruction: `${link(LONGEST_URL)} ${link(LONGEST_URL + 1)}`, knowledge: null, turns: [] });
    expect([long.find(link(LONGEST_URL))?.rest, long.find(link(LONGEST_URL + 1))]).toEqual(['', null]);
  });

  it('hold back a limited length of text', () => {
    for (const begin of ['<a ', '](', 'https://', ']: ', '<']) {
      const links = new UncitedLinks(sources);
      let out = links.add(begin).length;
      for (let n = 0; n < 100; n++) out += links.add('x'.repeat(100)).length;
      expect(begin === 'https://' ? out > 0 : out > 7_000).toBe(true);
    }
  });
});
