// Addresses of forbidden networks, in every spelling, behind redirects and behind names, through each way in which users and administrators
// can enter addresses: pages, sitemaps and their pages, webhooks. No connection may reach the listeners on loopback.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddings, FORBIDDEN_V4, FORBIDDEN_V6, hosts } from '../../libs/guarded-fetch/test/spellings.ts';
import { canaries } from '../../libs/guarded-fetch/test/servers.ts';
import { patience } from '../../libs/testing/dist/patience.js';
import { waitFor } from '../../libs/testing/dist/wait-for.js';
import { Product } from '../product.mjs';
import { random } from '../random.mjs';
import { fail, pass } from '../suite.mjs';

/** The only address that the product may call here. It redirects, and serves sitemaps. */
const ALLOWED = '127.0.0.9';
const STATUSES = [301, 302, 303, 307, 308];
const SOURCES_OF_A_BOT = 200;
const SITEMAPS_OF_A_BOT = 20;
const PAGES_OF_A_SITEMAP = 150;
const WEBHOOKS = 90;

export async function addresses({ root, seed, short }) {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-addresses-'));
  const canary = await canaries();
  const redirector = await openRedirector();
  const product = await Product.open(root, directory, {
    PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: `${ALLOWED}/32`,
    NODE_OPTIONS: `--import=${new URL('../stand-in-resolver.mjs', import.meta.url)}`,
  });
  try {
    await product.start();
    const all = vectors(canary.port, redirector, random(seed, 'addresses'));
    const chosen = short ? all.filter((_, index) => index % 10 === 0) : all;
    const figures = { vectors: chosen.length, saved: 0, refused: 0 };
    await pages(product, chosen, figures);
    await sitemaps(product, chosen, redirector, figures);
    await webhooks(product, chosen, redirector, figures);
    const problems = [];
    if (canary.connections() > 0) problems.push(`${canary.connections()} connections have reached a forbidden address`);
    if (redirector.served === 0) problems.push('no request has reached the allowed address, so nothing was tried');
    if (!product.isRunning) problems.push('the process is gone');
    const note = `${figures.vectors} addresses, ${figures.saved} saved as pages, sitemaps and webhooks, ${figures.refused} refused at once, ${redirector.served} requests to the allowed address, ${canary.connections()} to others`;
    if (problems.length > 0) fail('forbidden addresses', [{ name: 'connections', count: problems.length, problems }], note);
    else pass('forbidden addresses', note);
  } finally {
    await product.stop();
    await canary.stop();
    redirector.server.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** All addresses that are tried, shuffled by the seed. */
function vectors(port, redirector, chance) {
  const spelled = [...FORBIDDEN_V4.flatMap(hosts), ...FORBIDDEN_V6.map((address) => `[${address}]`), ...LOCAL_NAMES];
  const direct = spelled.map((host) => `http://${host}:${port}/`);
  const withUser = FORBIDDEN_V4.map((address) => `http://user:secret@${address}:${port}/`);
  const redirected = spelled.map((host, index) => redirector.to(STATUSES[index % STATUSES.length], `http://${host}:${port}/`));
  const forbidden = [
    ...FORBIDDEN_V4.map(hex4),
    ...FORBIDDEN_V4.flatMap((address) => embeddings(address).map(hex6)),
    ...FORBIDDEN_V6.map(hex6),
  ];
  const first = hex4(ALLOWED);
  const named = forbidden.flatMap((each, index) => [
    `http://mixed-${each}.${index}.test:${port}/`,
    `http://mixed-${first}-${each}.${index}.test:${port}/`,
    `http://mixed-${each}-${first}.${index}.test.:${port}/`,
    redirector.to(302, `http://mixed-${each}.r${index}.test:${port}/`),
    // The name resolves to the allowed address, which redirects to the same name at the listener's port.
    redirector.to(307, `http://rebinding-${first}-${each}.${index}.test:${port}/`, `rebinding-${first}-${each}.${index}.test`),
  ]);
  const all = [...direct, ...withUser, ...redirected, ...named];
  for (let last = all.length - 1; last > 0; last--) {
    const other = chance.between(0, last);
    [all[last], all[other]] = [all[other], all[last]];
  }
  return all;
}

const LOCAL_NAMES = ['localhost', 'LOCALHOST', 'localhost.', 'ip6-localhost', '[::1%25lo]', '[fe80::1%25eth0]', '0', '127.1'];
const hex4 = (address) =>
  address
    .split('.')
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
    .join('');
/** All 32 digits of an IPv6 address. */
function hex6(address) {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head, tail = ''] = text.split('::');
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((part) => part.padStart(4, '0')).join('');
}

/** Chunks of a list. */
const inParts = (list, size) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));

const save = (product, field, urls) => product.ask('POST', '/bot', { title: 'Addresses', knowledge: { [field]: urls } });

/** Saves a bot, and waits until its sources have been read. */
async function read(product, field, urls, figures) {
  const { status, body } = await save(product, field, urls);
  if (status === 400 && urls.length > 1) {
    // At least one address is invalid: try each half separately.
    for (const half of inParts(urls, Math.ceil(urls.length / 2))) await read(product, field, half, figures);
  } else if (status === 400) figures.refused++;
  else if (status === 201) {
    figures.saved += urls.length;
    await ended(product, body.id);
  } else throw new Error(`the bot was answered with ${status} ${JSON.stringify(body)}`);
}

/** Whether it is a valid URL. Invalid ones are refused when they are saved. */
const isAddress = (url) => URL.canParse(url) && new URL(url).username === '';

async function pages(product, urls, figures) {
  for (const part of inParts(urls.filter(isAddress), SOURCES_OF_A_BOT)) await read(product, 'source_urls', part, figures);
  for (const url of urls.filter((each) => !isAddress(each))) await read(product, 'source_urls', [url], figures);
}

/** Reads sitemaps that list the addresses as pages. */
async function sitemaps(product, urls, redirector, figures) {
  const maps = inParts(urls, PAGES_OF_A_SITEMAP).map((part) => redirector.sitemap(part));
  for (const part of inParts(maps, SITEMAPS_OF_A_BOT)) await read(product, 'sitemap_urls', part, figures);
}

async function ended(product, bot) {
  const isOver = async () => /FAILED|SUCCEEDED/.test((await product.ask('GET', `/bot/${bot}`)).body.sync_status);
  await waitFor(isOver, { timeout: patience(240_000), what: `the sync of ${bot}` });
  const { status } = await product.ask('DELETE', `/bot/${bot}`);
  if (status !== 204) throw new Error(`the bot ${bot} could not be deleted: ${status}`);
}

async function webhooks(product, urls, redirector, figures) {
  const type = 'parlance.bots.bot-created.v1';
  const made = [];
  for (const url of urls) {
    if (made.length === WEBHOOKS) break;
    const { status, body } = await product.ask('POST', '/admin/webhooks', { url, event_types: [type] });
    if (status === 201) made.push(body.id);
    else if (status === 400) figures.refused++;
    else throw new Error(`a webhook was answered with ${status} ${JSON.stringify(body)}`);
  }
  figures.saved += made.length;
  await product.ask('POST', '/bot', { title: 'Event' });
  for (const id of made) {
    const isTried = async () => {
      const { body } = await product.ask('GET', `/admin/webhooks/${id}/deliveries`);
      return body.deliveries.some(({ tries }) => tries > 0);
    };
    await waitFor(isTried, { timeout: patience(60_000), what: `the delivery to ${id}` });
    await product.ask('DELETE', `/admin/webhooks/${id}`);
  }
}

async function openRedirector() {
  const maps = [];
  const redirector = { served: 0 };
  redirector.server = createServer((request, response) => {
    redirector.served++;
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    if (pathname.startsWith('/map')) {
      response.setHeader('content-type', 'application/xml');
      response.end(`<urlset>${maps[Number(pathname.slice(4))].map((url) => `<url><loc>${escaped(url)}</loc></url>`).join('')}</urlset>`);
    } else if (pathname === '/to')
      response.writeHead(Number(searchParams.get('status')), { location: encodeURI(searchParams.get('url')) }).end();
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => redirector.server.listen(0, ALLOWED, resolve));
  const { port } = redirector.server.address();
  redirector.to = (status, url, host = ALLOWED) => `http://${host}:${port}/to?status=${status}&url=${encodeURIComponent(url)}`;
  redirector.sitemap = (urls) => `http://${ALLOWED}:${port}/map${maps.push(urls) - 1}`;
  return redirector;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
