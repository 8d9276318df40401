import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GuardedFetch } from '@parlance/guarded-fetch';
import { links, page, type Site, site } from '../test/site.ts';
import { CrawlReader, type CrawlOptions, MAX_DEPTH, MAX_PAGES } from './crawl.ts';
import { fetchPage } from './fetch-page.ts';
import type { Fingerprint, Opened } from './source.ts';

describe('a crawl', () => {
  let home: Site;
  let guarded: GuardedFetch;

  beforeEach(async () => {
    home = await site();
    guarded = new GuardedFetch({ allowedPrivateRanges: ['127.0.0.0/8'] });
  });
  afterEach(async () => {
    await guarded.close();
    await home.stop();
  });

  const signal = new AbortController().signal;
  const reader = (options: Partial<CrawlOptions> = {}) => new CrawlReader(guarded, { start: `${home.origin}/`, scope: 'host', ...options });

  /** The outcome of each page: its text, `unchanged`, the reason for skipping it, or the code of a failure. */
  async function outcomes(crawl: CrawlReader, known: Record<string, Fingerprint> = {}): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for await (const item of crawl.items(signal)) {
      const path = item.key.replace(home.origin, '');
      const outcome = await item
        .open(known[path])
        .then(outcomeOf)
        .catch((error: { code: string }) => error.code);
      found[path] = outcome;
    }
    return found;
  }
  async function outcomeOf(opened: Opened): Promise<string> {
    if (opened.status !== 'changed') return opened.status === 'skipped' ? opened.reason : 'unchanged';
    const chunks: Buffer[] = [];
    for await (const chunk of opened.body as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }
  const paths = async (options: Partial<CrawlOptions> = {}) => Object.keys(await outcomes(reader(options)));

  it('returns the pages of a host breadth first, each once', async () => {
    home.routes = {
      '/': links('/a', 'b#part', './b', 'https://example.com/', 'mailto:a@b.test', '/c?', '/%7Ed'),
      '/a': links('/deep', '/b'),
      '/b': links('/'),
      '/c': 'text',
      '/~d': links('/a'),
      '/deep': page('x'),
    };
    const crawl = reader();
    const found = await outcomes(crawl);
    expect(Object.keys(found)).toEqual(['/', '/a', '/b', '/c', '/~d', '/deep']);
    expect(found['/deep']).toBe(page('x'));
    expect(home.asked).toHaveLength(6);
    expect([crawl.found, crawl.isComplete, crawl.isCut]).toEqual([6, true, false]);
  });

  it('returns a whole page, however its bytes arrive', async () => {
    const text = page(`${'ä<p>'.repeat(60_000)}<a href="/last">`);
    home.routes = {
      '/': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at += 7_001) response.write(bytes.subarray(at, at + 7_001));
        response.end();
      },
      '/last': 'a',
    };
    expect(await outcomes(reader())).toEqual({ '/': text, '/last': 'a' });
  });

  it('reads only one page for `single_page`', async () => {
    home.routes = { '/': links('/a'), '/a': 'a' };
    expect(await paths({ scope: 'single_page' })).toEqual(['/']);
  });

  it('is bounded in depth and pages, and reports when it was cut', async () => {
    home.routes = { '/': links('/1', '/2'), '/1': links('/3'), '/2': 'a', '/3': links('/4') };
    expect(await paths({ maxDepth: 1 })).toEqual(['/', '/1', '/2']);
    const crawl = reader({ maxPages: 2 });
    expect(Object.keys(await outcomes(crawl))).toEqual(['/', '/1']);
    expect(crawl.isCut).toBe(true);
  });

  it.each([{ maxDepth: -1 }, { maxDepth: MAX_DEPTH + 1 }, { maxPages: 0 }, { maxPages: MAX_PAGES + 1 }, { maxPages: Number.NaN }])(
    'does not start with %j',
    (bounds) => expect(() => reader(bounds)).toThrow(RangeError),
  );
  it('may start with the highest bounds', () => expect(() => reader({ maxDepth: MAX_DEPTH, maxPages: MAX_PAGES })).not.toThrow());

  it('respects the patterns', async () => {
    home.routes = { '/': links('/docs/a', '/docs/a?print=1', '/blog'), '/docs/a': links('/docs/b'), '/docs/b': 'b' };
    const found = await outcomes(reader({ includePatterns: ['/docs/*'], excludePatterns: ['*print=*'] }));
    expect(found).toEqual({ '/': 'excluded', '/docs/a': links('/docs/b'), '/docs/b': 'b' });
    expect(() => reader({ includePatterns: [''] })).toThrow(expect.objectContaining({ code: 'pattern_invalid' }));
  });

  it('honours robots.txt, nofollow and noindex', async () => {
    home.routes = {
      '/robots.txt': 'User-agent: parlancebot\nDisallow: /secret',
      '/': page(
        '<a href="/secret">s</a><a rel="nofollow" href="/x">x</a><a href="/hidden">h</a><a href="/header">i</a><a href="/end">e</a>',
      ),
      '/hidden': page('<a href="/after">b</a>', '<META NAME=robots CONTENT="noindex">'),
      '/header': (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': 'noindex, nofollow' }).end(links('/y')),
      '/end': page('<a href="/z">z</a>', '<meta name="robots" content="nofollow">'),
      '/after': 'b',
    };
    const found = await outcomes(reader());
    expect(found).toMatchObject({ '/secret': 'robots', '/hidden': 'noindex', '/header': 'noindex', '/after': 'b' });
    expect(Object.keys(found)).toEqual(['/', '/secret', '/hidden', '/header', '/end', '/after']);
    expect(home.asked).not.toContain('/secret');
  });

  it('returns duplicates once: redirects and canonical addresses', async () => {
    const copy = (text: string) => page(text, '<link rel=canonical href="/a">');
    home.routes = {
      '/': links('/a', '/a?x', '/old', '/out'),
      '/a': copy('1'),
      '/a?x': copy('2'),
      '/old': (_, response) => response.writeHead(301, { location: '/a' }).end(),
      '/out': (_, response) => response.writeHead(302, { location: 'http://127.0.0.2:81/' }).end(),
    };
    expect(await outcomes(reader())).toMatchObject({ '/a': copy('1'), '/a?x': 'duplicate', '/old': 'duplicate', '/out': 'out_of_scope' });
  });

  it('continues after pages that are gone, broken or not text', async () => {
    home.routes = {
      '/': links('/gone', '/broken', '/a.png', '/locked', '/busy', '/fine'),
      '/broken': (_, response) => response.writeHead(500).end(),
      '/locked': (_, response) => response.writeHead(403).end(),
      '/busy': (_, response) => response.writeHead(503).end(),
      '/a.png': 'png',
      '/fine': 'fine',
    };
    const expected = {
      '/gone': 'gone',
      '/broken': 'answer_invalid',
      '/a.png': 'content_type',
      '/locked': 'access_denied',
      '/busy': 'busy',
      '/fine': 'fine',
    };
    expect(await outcomes(reader())).toMatchObject(expected);
  });

  it('fails at the start page with a message for the owner', async () => {
    const messages: string[] = [];
    home.routes = {
      '/robots.txt': 'User-agent: *\nDisallow: /b',
      '/out': (_, response) => response.writeHead(302, { location: 'http://127.0.0.2:81/' }).end(),
    };
    for (const path of ['/gone', '/b', '/out']) {
      for await (const item of reader({ start: `${home.origin}${path}` }).items(signal)) {
        await item.open().catch((error: Error) => messages.push(error.message.replaceAll(/127.0.0.1:\d+/g, 'host')));
      }
    }
    expect(messages).toEqual([
      'http://host/gone does not exist. Correct the address or remove it.',
      'The robots.txt of host does not allow ParlanceBot to read http://host/b. Ask the owner of the site, or remove the address.',
      'http://host/out leads to another site. Use the address of that site instead.',
    ]);
  });

  it('fails when robots.txt cannot be read, and names the private network if that is the reason', async () => {
    home.routes = { '/robots.txt': (_, response) => response.writeHead(503).end(), '/': 'a' };
    expect(await outcomes(reader())).toEqual({ '/': 'robots_unreachable' });
    expect(home.asked).toEqual([]);
    guarded = new GuardedFetch({ allowedPrivateRanges: [] });
    expect(await outcomes(reader())).toEqual({ '/': 'address_forbidden' });
  });

  it('knows unchanged pages by their ETag and still follows their links', async () => {
    const withTag =
      (body: string) => (request: { headers: { 'if-none-match'?: string } }, response: import('node:http').ServerResponse) => {
        const isSame = request.headers['if-none-match'] === '"1"';
        response.writeHead(isSame ? 304 : 200, { etag: '"1"', 'content-type': 'text/html' }).end(isSame ? undefined : body);
      };
    home.routes = { '/': withTag(links('/a')), '/a': withTag(links('/b')), '/b': 'new' };
    const known = { etag: '"1"', lastModified: null };
    expect(await outcomes(reader(), { '/': known, '/a': known })).toEqual({ '/': 'unchanged', '/a': 'unchanged', '/b': 'new' });
    const opened = await fetchPage(guarded, `${home.origin}/a`, { since: known, signal });
    expect(opened).toEqual({ status: 'unchanged', fingerprint: { etag: '"1"', lastModified: null } });
  });

  it('recognises an unchanged page under another address', async () => {
    const etag = '"1"';
    home.routes = {
      '/': links('/a', '/old'),
      '/a': (request, response) => void response.writeHead(request.headers['if-none-match'] === etag ? 304 : 200, { etag }).end(),
      '/old': (_, response) => void response.writeHead(301, { location: '/a' }).end(),
    };
    const known = { '/a': { etag, lastModified: null } };
    expect(await outcomes(reader({ maxDepth: 1 }), known)).toMatchObject({ '/a': 'unchanged', '/old': 'duplicate' });
  });

  it('reads several pages at once if the caller does, and waits for the links of open pages', async () => {
    home.routes = { '/': links('/a', '/b'), '/a': links('/c'), '/b': links('/d'), '/c': 'c', '/d': 'd' };
    const running: Promise<string>[] = [];
    const crawl = reader();
    for await (const item of crawl.items(signal)) running.push(item.open().then(outcomeOf));
    expect(await Promise.all(running)).toHaveLength(5);
  });

  it('uses the links found so far in an abandoned page, and never waits for an unread one', async () => {
    home.routes = { '/': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).write(links('/a')), '/a': 'a' };
    const keys = [];
    for await (const item of reader({ bounds: { timeoutMillis: 500 } }).items(signal)) {
      keys.push(item.key);
      await item.open();
    }
    expect(keys).toEqual([`${home.origin}/`, `${home.origin}/a`]);
  });

  it('bounds a page, and stops when its signal is aborted', async () => {
    home.routes = { '/': page('a'.repeat(300_000)), '/slow': (_, response) => response.write('a') };
    expect(await outcomes(reader({ bounds: { maxBytes: 200_000 } }))).toEqual({ '/': 'too_large' });
    const stop = new AbortController();
    const reason = new Error('newer save');
    home.routes['/slow'] = () => stop.abort(reason);
    await expect(fetchPage(guarded, `${home.origin}/slow`, { signal: stop.signal })).rejects.toBe(reason);
  });

  it('pauses as long as a host asks for', async () => {
    home.routes = { '/robots.txt': 'User-agent: *\nCrawl-delay: 0.15', '/': links('/a', '/b'), '/a': 'a', '/b': 'b' };
    const start = performance.now();
    await outcomes(reader());
    expect(performance.now() - start).toBeGreaterThan(290);
    home.routes['/robots.txt'] = 'User-agent: *\nCrawl-delay: 86400';
    expect(await paths({ bounds: { maxDelayMillis: 1 } })).toEqual(['/', '/a', '/b']);
  });

  it.each(['ftp://a.test/', 'a', '', 'http://user@a.test/'])('refuses the start %j', (start) => {
    expect(() => reader({ start })).toThrow(expect.objectContaining({ code: 'address_invalid' }));
  });
});
