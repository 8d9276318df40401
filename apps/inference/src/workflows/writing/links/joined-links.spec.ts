import { describe, expect, it } from '@jest/globals';
import { CitedUrls } from './cited-urls.ts';
import { REMOVED, UncitedLinks } from './uncited-links.ts';

const image = 'https://docs.example.org/map.png';
const sources = new CitedUrls({
  turns: [],
  instruction: '',
  knowledge: { showsSources: true, chunks: [{ content: `![Map](${image})`, source: '' }] } as never,
});
/** Markdown and HTML renderers read both as `https://evil.test/secret`. */
const escaped = 'https:\\/\\/evil.test/secret';
const encoded = 'https:&#47;&#47;evil.test/secret';

function strip(parts: Iterable<string>, earlier = ''): string {
  const links = new UncitedLinks(sources, earlier);
  return [...Array.from(parts, (part) => links.add(part)), links.end()].join('');
}

describe('links of an answer', () => {
  it.each([
    ['a removed target', `![x](a.b)(${encoded})`, `![x] (${encoded})`],
    ['a removed target of a label', `[1](a.b): ${escaped}`, `[1] : ${escaped}`],
    ['a removed target and a reference', '[x](a.b)[1]', '[x] [1]'],
    ['a removed tag', `![x]<img src=a>(${escaped})`, `![x] (${escaped})`],
    ['a removed tag in a tag', `<<img src=x>img src="${encoded}">`, `< > img src="${encoded}">`],
    ['a removed tag in a name', `<p<img src=x> onload=y>`, `<p > onload=y>`],
    ['a removed address in a name', `<p<https://evil.test> onload=y>`, `<p >${REMOVED} onload=y>`],
    ['a bracket in a name', `<p< onload=y>`, '<p >'],
    ['a removed tag after a link', `${image}<img src=a>secret`, `${image} secret`],
  ])('are not formed around %s', (_, text, left) => {
    expect(strip([text])).toBe(left);
    expect(strip(text)).toBe(left);
  });

  it.each([
    ['a bracket in a value', `<p title=">" style="background:url(${encoded})">`, /^&lt;p/],
    ['another bracket in a value', `<p title="<" style='background:url(${encoded})<'>`, /^&lt;p/],
    ['spaces before a value', `<p style${' '.repeat(40)}="background:url(${encoded})">`, /^$/],
    ['a tag in a tag', '<p a <b onload=x <c>', /^&lt;p a &lt;b onload=x /],
    ['a quotation', `> [1]:\n> ${escaped}\n\n![1]`, /^> \[1\] :/],
    ['a non-ASCII space in an address', '<javascript:alert(1)\u00a0>', /^\(link removed\)$/],
    ['an address with a title after a non-ASCII space', `![a](${image}\u00a0"secret")`, /^!\[a\]\([^\s"]+\)$/],
    ['a cited address that continues after a non-ASCII space', `${image}\u00a0secret`, /^\(link removed\)/],
    ['a cited address that continues after an angle bracket', `${image}>secret`, /^\(link removed\)/],
    ['a cited address that continues after a bracket', `${image}](secret)`, /^\(link removed\)/],
    ['a reference that continues after a non-ASCII space', `[1]: ${image}\u00a0secret`, /^\[1\] :/],
    ['a reference that continues after an angle bracket', `[1]: ${image}<secret>`, /^\[1\] :/],
    ['a reference that continues after a bracket', `[1]: ${image}](secret)`, /^\[1\] :/],
  ])('are found in %s', (_, text, left) => {
    expect(strip([text])).toMatch(left);
    expect(strip(text)).toBe(strip([text]));
  });

  it.each([
    ['See <', `img src="${encoded}">`],
    ['See <i', `mg src="${encoded}">`],
    ['See <p ', `style="background:url(${encoded})">`],
    ['See <p title="x', `" style="background:url(${encoded})">`],
  ])('are not formed from the end of an answer and its continuation: %s', (first, second) => {
    const shown = strip([first]);
    expect(shown + strip([second], shown)).not.toMatch(/<[a-z]/);
  });

  it('stay in references whose whole address is in a source', () => {
    for (const text of [`[1]: ${image}\n`, `> [1]:\n> <${image}>\n`, `[1]: ${image} "Map"\n`]) expect(strip([text])).toBe(text);
  });
});
