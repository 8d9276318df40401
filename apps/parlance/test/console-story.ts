import { describe, expect, it } from '@jest/globals';
import type { Story } from './people-story.ts';

/** Loads the built console from every edge like a browser, in every shape of the product. */
export function consoleStory(story: () => Story): void {
  const get = (url: URL) => fetch(url, { redirect: 'manual', headers: { 'accept-encoding': 'br' } });
  const everyEdge = () => story().product.urls;

  describe('the web console', () => {
    it('is the target of the redirect from the root address of the product', async () => {
      for (const edge of everyEdge()) {
        const answer = await get(new URL('/', edge));
        expect([answer.status, answer.headers.get('location')]).toEqual([302, '/app/']);
      }
    });

    it('serves all files that its page loads, also below the address of a conversation', async () => {
      for (const edge of everyEdge()) {
        const address = new URL('/app/c/01JD2V9G6K3MWRX8S5P4Q7T0ZA', edge);
        const page = await get(address);
        expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
        expect(page.headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
        const loaded = [...(await page.text()).matchAll(/<(?:script|link)\b[^>]*?\s(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
        expect(loaded.some((path) => path.endsWith('.js'))).toBe(true);
        for (const path of loaded) {
          const file = await get(new URL(path, address));
          expect([path, file.status, file.headers.get('content-type')?.startsWith('text/html')]).toEqual([path, 200, false]);
          if (!/\.(?:js|css)$/.test(path)) continue;
          expect([path, file.headers.get('content-encoding')]).toEqual([path, 'br']);
          expect([path, file.headers.get('cache-control')]).toEqual([path, 'public, max-age=31536000, immutable']);
        }
      }
    });

    it('can read how users sign in without a session', async () => {
      for (const edge of everyEdge()) {
        const answer = await get(new URL('/auth/options', edge));
        expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ sign_up_enabled: true, providers: [] })]);
      }
    });
  });
}
