import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GuardedFetch } from '@parlance/guarded-fetch';
import { type Site, site } from '../test/site.ts';
import { type SitemapBounds, SitemapReader, sitemapUrls } from './sitemap.ts';

const urlset = (...urls: readonly string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`;
const url = (loc: string, more = '') => `<url><loc>${loc}</loc>${more}</url>`;
const index = (...locs: readonly string[]) =>
  `<sitemapindex>${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`;

describe('a sitemap', () => {
  let home: Site;
  let guarded: GuardedFetch;
  const signal = new AbortController().signal;

  beforeEach(async () => {
    home = await site();
    guarded = new GuardedFetch({ allowedPrivateRanges: ['127.0.0.1/32'] });
  });
  afterEach(async () => {
    await guarded.close();
    await home.stop();
  });

  async function urls(path = '/sitemap.xml', bounds: Partial<SitemapBounds> = {}): Promise<string[]> {
    const found = [];
    for await (const entry of sitemapUrls(guarded, `${home.origin}${path}`, signal, bounds)) {
      found.push('failure' in entry ? entry.failure.code : `${entry.url.replace(home.origin, '')} ${entry.lastModified ?? ''}`.trim());
    }
    return found;
  }

  it('returns its addresses with their dates, each once', async () => {
    const image = '<image:image><image:loc>https://example.com/i.png</image:loc></image:image>';
    home.routes['/sitemap.xml'] = urlset(
      url(' /a&amp;b ', '<lastmod>2026-01-02</lastmod>'),
      url('<![CDATA[/c]]>', image),
      '<!-- <url><loc>/no</loc></url> -->',
      url('/c'),
      url('ftp://x/'),
    );
    expect(await urls()).toEqual(['/a&b 2026-01-02', '/c']);
  });

  it('is read in pieces, compressed or not, as XML or text', async () => {
    const paths = Array.from({ length: 5_000 }, (_, number) => `/page-${number}`);
    home.routes = {
      '/sitemap.xml': urlset(...paths.map((path) => url(path))),
      '/packed': gzipSync(urlset(...paths.map((path) => url(path)))),
      '/list.txt': paths.map((path) => `${home.origin}${path}`).join('\r\n'),
    };
    expect(await urls()).toEqual(paths);
    expect(await urls('/packed')).toEqual(paths);
    expect(await urls('/list.txt')).toEqual(paths);
  });

  it('follows index files, without loops, and names children that fail', async () => {
    home.routes = {
      '/sitemap.xml': index('/1.xml', '/2.xml', '/gone.xml', '/sitemap.xml', 'http://127.0.0.2/x.xml'),
      '/1.xml': urlset(url('/a')),
      '/2.xml': index('/3.xml'),
      '/3.xml': urlset(url('/b')),
    };
    expect(await urls()).toEqual(['/a', 'not_found', 'address_forbidden', '/b']);
  });

  it('is bounded in addresses, children, levels and bytes', async () => {
    home.routes = {
      '/sitemap.xml': urlset(...['/a', '/b', '/c'].map((path) => url(path))),
      '/index.xml': index('/sitemap.xml', '/other.xml'),
      '/other.xml': urlset(url('/d')),
      '/bomb': gzipSync(urlset(url('/a'), ' '.repeat(10_000_000))),
    };
    expect(await urls('/sitemap.xml', { maxUrls: 2 })).toEqual(['/a', '/b']);
    expect(await urls('/index.xml', { maxChildren: 1 })).toEqual(['/a', '/b', '/c']);
    expect(await urls('/index.xml', { maxDepth: 0 })).toEqual([]);
    await expect(urls('/bomb', { maxBytes: 100_000 })).rejects.toMatchObject({ code: 'too_large' });
  });

  it('is not read further once it exceeds the limit of addresses', async () => {
    const tooLarge = gzipSync(urlset(url('/a'), url('/b'), url('/c'), ' '.repeat(10_000_000)));
    home.routes = { '/sitemap.xml': tooLarge };
    expect(await urls('/sitemap.xml', { maxUrls: 2, maxBytes: 100_000 })).toEqual(['/a', '/b']);
  });

  it.each([
    ['an entity bomb', `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${urlset(url('&b;'))}`, 'sitemap_invalid'],
    ['a page', '<html><body>hello</body></html>', 'sitemap_invalid'],
    ['a text', 'hello', 'sitemap_invalid'],
    ['nothing', '', 'sitemap_invalid'],
    ['damaged gzip', gzipSync(urlset(url('/a'))).subarray(0, 40), 'answer_invalid'],
  ])('fails if it is %s', async (_, content, code) => {
    home.routes['/sitemap.xml'] = content;
    await expect(urls()).rejects.toMatchObject({ name: 'SourceFailed', code });
  });

  it('opens its pages and counts them', async () => {
    home.routes = { '/sitemap.xml': urlset(url('/a'), url('/gone')), '/a': 'text' };
    const reader = new SitemapReader(guarded, `${home.origin}/sitemap.xml`);
    const statuses = [];
    for await (const item of reader.items(signal)) {
      const opened = await item.open();
      statuses.push(opened.status);
      if (opened.status === 'changed') opened.body.destroy();
    }
    expect([statuses, reader.found, reader.isComplete]).toEqual([['changed', 'skipped'], 2, true]);
  });
});
