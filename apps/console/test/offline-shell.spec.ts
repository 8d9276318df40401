import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ConsoleWorld, consoleWorld, expectAccessible, signIn } from './console-world.ts';

/** The paths of all files that the browser keeps for the console. */
const KEPT = `caches.keys().then(async (names) => {
  const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return requests.flat().map(({ url }) => new URL(url).pathname);
})`;

/** Registers the service worker. The state in which its installation ends. */
const REGISTERED = `navigator.serviceWorker.register(policy.createScriptURL(''), { updateViaCache: 'none' }).then(({ installing }) =>
  new Promise((resolve) => installing.addEventListener('statechange', ({ target: { state } }) => {
    if (state === 'redundant' || state === 'activated') resolve(state);
  })))`.replace('policy', "trustedTypes.createPolicy('offline-shell', { createScriptURL: () => '/app/service-worker.js' })");

/** Whether the kept page names all other kept files. */
const IS_OF_ONE_VERSION = `${KEPT}.then(async (paths) => {
  const page = await (await caches.match('/app/')).text();
  return paths.every((path) => path === '/app/' || page.includes('"' + path + '"'));
})`;

describe('the installed console', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await consoleWorld();
  });

  it('opens without a connection and says so, and keeps nothing but the files of its first page', async () => {
    const { page, reported } = await world.open({ serviceWorkers: 'allow' });
    await page.goto('/app/icon.svg');
    // An earlier version has left one, and another program at the same origin has one.
    await page.evaluate("Promise.all(['parlance-shell-0', 'another'].map((name) => caches.open(name)))");
    await page.goto('/app/sign-in');
    await signIn(page, world.admin);
    await page.evaluate('navigator.serviceWorker.ready');
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const names = await page.evaluate<string[]>('caches.keys()');
    expect(names.toSorted()).toEqual(['another', expect.stringMatching(/^parlance-shell-[\da-f]{16}$/)]);
    const kept = await page.evaluate<string[]>(KEPT);
    expect(kept).toContain('/app/');
    expect(kept.filter((path) => !/^\/app\/(?:assets\/index-[\w-]{8}\.(?:js|css)|icon\.svg)?$/.test(path))).toEqual([]);

    await page.context().setOffline(true);
    await page.goto('/app/store');
    await page.getByText('The server did not answer. Check your connection').waitFor();
    await expectAccessible(page);
    expect(await page.evaluate<string[]>(KEPT)).toEqual(kept);
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Store' }).waitFor();
    expect(reported.filter((text) => !text.startsWith('ParlanceError: POST /auth/refresh got no answer.'))).toEqual([]);
  });

  it('keeps no page of another version during a rolling update, and installs when the page and its files are of one version', async () => {
    const { page } = await world.open({ serviceWorkers: 'allow' });
    await page.goto('/app/icon.svg');
    const pageOfAnother = '<!doctype html><script type="module" src="/app/assets/index-another1.js"></script>';
    await page.context().route('**/app/', (route) => route.fulfill({ contentType: 'text/html', body: pageOfAnother }));
    expect(await page.evaluate<string>(REGISTERED)).toBe('redundant');
    expect(await page.evaluate<string[]>(KEPT)).toEqual([]);

    await page.context().unroute('**/app/');
    expect(await page.evaluate<string>(REGISTERED)).toBe('activated');
    expect(await page.evaluate<string[]>(KEPT)).toContain('/app/');
    expect(await page.evaluate<boolean>(IS_OF_ONE_VERSION)).toBe(true);
  });

  it('has a name and icons that the server has', async () => {
    const { url } = world.product;
    const manifest = (await (await fetch(`${url}/app/console.webmanifest`)).json()) as {
      start_url: string;
      icons: { src: string; type: string }[];
    };
    expect(manifest).toMatchObject({ name: 'Parlance', start_url: '/app/', scope: '/app/', display: 'standalone' });
    const types = await Promise.all(
      manifest.icons.map(async ({ src }) => (await fetch(url + src)).headers.get('content-type')?.split(';')[0]),
    );
    expect(types).toEqual(manifest.icons.map(({ type }) => type));
  });
});
