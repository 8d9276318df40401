import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mustEnd } from '@parlance/testing';
import { Glob } from './glob.ts';
import { pageAddress } from './page-address.ts';
import { MAX_ROBOTS_BYTES, RobotsRules } from './robots-rules.ts';

const allows = (robots: string, path: string) => RobotsRules.parse(robots).allows(new URL(path, 'https://example.com'));

describe('robots.txt', () => {
  it.each([
    ['', '/a', true],
    ['User-agent: *\nDisallow: /', '/a', false],
    ['User-agent: *\nDisallow:', '/a', true],
    ['User-agent: other\nDisallow: /', '/a', true],
    ['User-agent: PARLANCEBOT/2.0\nDisallow: /\n\nUser-agent: *\nAllow: /', '/a', false],
    ['User-agent: a\nUser-agent: parlancebot\n\nDisallow: /x', '/x', false],
    ['User-agent: parlancebot\nDisallow: /x\nUser-agent: parlancebot\nDisallow: /y', '/y', false],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['User-agent: *\nAllow: /a\nDisallow: /a', '/a', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf?z', true],
    ['User-agent: *\nDisallow: /*?print', '/x?print=1', false],
    ['User-agent: *\nDisallow: /\u00e4', '/%C3%A4', false],
    ['User-agent: *\nDisallow: /%7ejoe', '/~joe/x', false],
    ['\uFEFFUser-Agent : *  # all\r\nDISALLOW: /x # not this\r\n', '/x', false],
    ['Disallow: /', '/a', true],
  ])('%j for %s: %s', (robots, path, expected) => {
    expect(allows(robots, path)).toBe(expected);
  });

  it('reads the delay of the group', () => {
    expect(RobotsRules.parse('User-agent: *\nCrawl-delay: 2.5').delayMillis).toBe(2_500);
    expect(RobotsRules.parse('User-agent: *\nCrawl-delay: -1').delayMillis).toBeNull();
  });

  it('ignores text past its limit, and finishes on a file that is designed to take long', () => {
    expect(allows(`User-agent: *\n${' '.repeat(MAX_ROBOTS_BYTES)}\nDisallow: /`, '/a')).toBe(true);
    const hostile = `User-agent: *\n${`Disallow: /${'*a'.repeat(200)}b\n`.repeat(1_200)}`;
    expect(mustEnd(() => allows(hostile, `/${'a'.repeat(2_000)}`), 5_000)).toBe(true);
  });
});

describe('a glob', () => {
  const sign = fc.constantFrom('a', 'b', '*', '/', '.', '$');
  const text = fc.array(fc.constantFrom('a', 'b', '/', '.', '$'), { maxLength: 12 }).map((signs) => signs.join(''));

  it('matches as the regular expression with the same meaning', () => {
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 8 }), text, fc.boolean(), (signs, subject, toEnd) => {
        const source = signs.map((one) => (one === '*' ? '.*' : `\\u{${one.charCodeAt(0).toString(16)}}`)).join('');
        const expected = new RegExp(`^${source}${toEnd ? '$' : ''}`, 'u').test(subject);
        expect(new Glob(signs.join(''), toEnd).matches(subject)).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the address of a page', () => {
  it('does not change when it is normalised again', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string(), (url, text) => {
        const once = pageAddress(`${url}${text}`);
        if (once === null) return;
        expect(pageAddress(once)).toBe(once);
        expect(once).not.toContain('#');
      }),
    );
  });

  it.each([
    ['HTTP://Example.COM:80/a/../b?#c', 'http://example.com/b'],
    ['https://example.com/%7Ea%2fb%c3%a4', 'https://example.com/~a%2Fb%C3%A4'],
    ['//example.com/x', null],
    ['javascript:alert(1)', null],
    ['http://a:b@example.com/', null],
  ])('%s: %s', (text, expected) => {
    expect(pageAddress(text)).toBe(expected);
  });
});
