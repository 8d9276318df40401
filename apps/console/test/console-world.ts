import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, expect } from '@jest/globals';
import { Parlance } from '@parlance/client';
import { oneProcess, patience, type Product, shared } from '@parlance/testing';
import type { Browser, BrowserContextOptions, Page, Request, Response } from 'playwright-core';
import { sharedChromium } from './chromium.ts';

const FIRST_ADMIN = { email: 'admin@example.org', password: 'correct horse battery' };

/** The name of a group that requires a second factor. */
export const GUARDED = 'Guarded';

/** Settings that some spec files need and that do not disturb others. All files have them, so that they can share a product. */
const SETTINGS = {
  PARLANCE_ADMIN_EMAIL: FIRST_ADMIN.email,
  PARLANCE_ADMIN_PASSWORD: FIRST_ADMIN.password,
  PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
  PARLANCE_ALLOW_PUBLIC_LINKS: 'true',
  PARLANCE_REQUIRE_SECOND_FACTOR_FOR: GUARDED,
  PARLANCE_GUARDRAILS: JSON.stringify([
    { id: 'projects', apply_to: ['published'], stage: 'output', action: 'flag', detectors: ['email', 'words'], words: ['Project Aurora'] },
  ]),
  // Nothing listens there.
  PARLANCE_OIDC_PROVIDERS: JSON.stringify({ acme: { issuer: 'http://127.0.0.1:1', client_id: 'parlance', name: 'Acme' } }),
  // All requests come from one address and one user.
  PARLANCE_AUTH_REQUESTS_PER_MINUTE: '0',
  PARLANCE_REQUESTS_PER_MINUTE: '0',
  PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '0',
};

export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true };

/** How long a page may take to show an element. Only a hanging page takes this long. */
const PATIENCE_MS = patience(30_000);

/** A page of a new browser profile, and what it reported: errors of the page, of the console, and of the content security policy. */
export interface Opened {
  readonly page: Page;
  readonly reported: readonly string[];
}

/** The built product with its built console, and a browser. */
export interface ConsoleWorld {
  readonly product: Product;
  /** For names that must differ from those of other spec files. */
  readonly id: string;
  /** An Admin that no other spec file uses. */
  readonly admin: Person;
  /** The API as this Admin. */
  readonly parlance: Parlance;
  open(options?: BrowserContextOptions): Promise<Opened>;
  /** Opens a page that begins with a sign-in. */
  openAs(who: Credentials, path?: string, options?: BrowserContextOptions): Promise<Opened>;
  /** Opens a page that is signed in as the Admin. */
  openSignedIn(options?: BrowserContextOptions): Promise<Opened>;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface Person extends Credentials {
  readonly name: string;
  readonly userId: string;
  /** The API as this user. */
  readonly parlance: Parlance;
}

/** A new user with a password of their own. The name differs from those of other spec files. */
export function person({ product, parlance, id }: ConsoleWorld, firstName: string): Promise<Person> {
  return newUser(product, parlance, `${firstName}-${id}`);
}

async function newUser(product: Product, by: Parlance, name: string, groups?: string[]): Promise<Person> {
  const [email, password] = [`${name}@example.org`, `a password that ${name} chose`];
  const { user_id: userId } = await by.admin.createUser({
    email,
    password,
    first_name: name,
    last_name: 'Example',
    ...(groups && { groups }),
  });
  const parlance = new Parlance({ baseUrl: product.url });
  await parlance.signIn(email, password);
  return { name, email, password, userId, parlance };
}

const works: (() => Promise<unknown>)[] = [];

/**
 * Registers cleanup for the end of the spec file, run last in, first out: it removes what would disturb other files that use the product.
 */
export function atEnd(work: () => Promise<unknown>): void {
  works.unshift(work);
}

// Each spec file loads this module for itself.
afterAll(async () => {
  for (const work of works) await work();
});

interface Running {
  readonly product: Product;
  readonly parlance: Parlance;
}

async function start(settings: Readonly<Record<string, string>>): Promise<Running> {
  const product = await oneProcess({ ...SETTINGS, ...settings });
  const parlance = new Parlance({ baseUrl: product.url });
  await parlance.signIn(FIRST_ADMIN.email, FIRST_ADMIN.password);
  return { product, parlance };
}

/** Spec files with the same settings share one product in each process, unless one asks for its own. */
export async function consoleWorld(settings: Readonly<Record<string, string>> = {}, { isOwn = false } = {}): Promise<ConsoleWorld> {
  const [{ product, parlance: first }, browser] = await Promise.all([
    isOwn ? start(settings) : shared(`product ${JSON.stringify(settings)}`, () => start(settings)),
    sharedChromium(),
  ]);
  // A failed spec file may have left the user disabled.
  if (product.pid === undefined) await product.restart();
  if (isOwn) atEnd(() => product.stop());
  const id = randomBytes(4).toString('hex');
  const admin = await newUser(product, first, `admin-${id}`, ['Admin']);
  const open = (options: BrowserContextOptions = {}) => openIn(browser, { baseURL: product.url, ...options });
  const openAs: ConsoleWorld['openAs'] = async (who, path = '/app/sign-in', options) => {
    const opened = await open(options);
    await opened.page.goto(path);
    await signIn(opened.page, who);
    return opened;
  };
  return {
    product,
    id,
    admin,
    parlance: admin.parlance,
    open,
    openAs,
    openSignedIn: (options) => openAs(admin, undefined, options),
  };
}

/** Animations are off, so that nothing has to wait for them, and the service worker too, so that no page depends on an earlier one. */
export async function openIn(browser: Browser, options: BrowserContextOptions): Promise<Opened> {
  const context = await browser.newContext({ ...DESKTOP, locale: 'en-US', reducedMotion: 'reduce', serviceWorkers: 'block', ...options });
  atEnd(() => context.close());
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const reported: string[] = [];
  page.on('pageerror', (error) => reported.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // The browser also reports refused requests. The specs check them by the content of the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) reported.push(message.text());
  });
  return { page, reported };
}

export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  const { failed, stop } = failedRequestsOf(page);
  try {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.locator('main#content').waitFor();
  } catch (cause) {
    const shown = await page.locator('body').innerText();
    throw new Error(`The sign-in did not succeed. ${page.url()} shows: ${shown}\nFailed requests: ${failed.join(', ') || 'none'}`, {
      cause,
    });
  } finally {
    stop();
  }
}

/** Requests of the page that were refused or got no answer, from now until `stop`. */
function failedRequestsOf(page: Page): { readonly failed: readonly string[]; stop(): void } {
  const failed: string[] = [];
  const onResponse = (response: Response) => {
    if (response.status() >= 400) failed.push(`${response.request().method()} ${response.url()}: ${response.status()}`);
  };
  const onFailure = (request: Request) => failed.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`);
  page.on('response', onResponse);
  page.on('requestfailed', onFailure);
  const stop = () => void page.off('response', onResponse).off('requestfailed', onFailure);
  return { failed, stop };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The elements that axe ignores. React Aria keeps its announcements for a few seconds, even if the labelled element has disappeared. */
const CONTEXT = { exclude: ['[data-live-announcer]'] };
const OPTIONS = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  // Computing selectors of passing elements takes longer than the checks.
  resultTypes: ['violations'],
  iframes: false,
};

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

interface Scope {
  /** Leaves out what is in frames, such as pages that a model wrote. */
  readonly isWithoutFrames?: boolean;
}

/** The violations of WCAG 2.2 AA that axe finds on the page. */
export async function violationsOn(page: Page, { isWithoutFrames = false }: Scope = {}): Promise<readonly string[]> {
  if (page.frames().length > 1 && !isWithoutFrames)
    throw new Error('The page has a frame, into which axe does not look from here: let it run there too.');
  // A changed theme takes effect with the next frame.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ readonly violations: readonly Violation[] }>(
    `axe.run(${JSON.stringify(CONTEXT)}, ${JSON.stringify(OPTIONS)}).then(({ violations }) => ({ violations }))`,
  );
  return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html.slice(0, 120)).join('; ')})`);
}

export async function expectAccessible(page: Page, scope?: Scope): Promise<void> {
  expect(await violationsOn(page, scope)).toEqual([]);
}
