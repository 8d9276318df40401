// Keeps the files of the first page, so that the console opens without a connection and says so. The build puts VERSION and SHELL in front.
// Answers of the API are never handled here, so nothing personal is stored.
/* global VERSION, SHELL */
const PAGE = '/app/';
const PREFIX = 'parlance-shell-';
const CACHE = PREFIX + VERSION;

/**
 * During a rolling update, a replica may still answer with the page of another version. The browser then installs again when the console is
 * next opened.
 */
const pageOfThisVersion = async () => {
  const response = await fetch(PAGE, { cache: 'reload' });
  const text = await response.clone().text();
  if (!response.ok || !SHELL.every((path) => text.includes(`"${path}"`)))
    throw new Error('The page does not name the files of this version.');
  return response;
};

// Files with a hash in their name are the same in the browser's own cache.
const install = async () => {
  const page = await pageOfThisVersion();
  const cache = await caches.open(CACHE);
  await cache.addAll(SHELL);
  await cache.put(PAGE, page);
  await self.skipWaiting();
};

const removeEarlier = async () => {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
};

const kept = async (path) => (await caches.open(CACHE)).match(path);

/** The page of the server, so that an upgrade takes effect at once. Without a connection the kept one. */
const page = (request) => fetch(request).catch(async (error) => (await kept(PAGE)) ?? Promise.reject(error));

const file = async (request, path) => (await kept(path)) ?? fetch(request);

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(removeEarlier()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (SHELL.includes(pathname)) event.respondWith(file(request, pathname));
  else if (request.mode === 'navigate') event.respondWith(page(request));
});
