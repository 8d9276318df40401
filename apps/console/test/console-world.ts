import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import { Parlance } from '@parlance/client';
import { oneProcess, patience, type Product } from '@parlance/testing';
import type { Browser, BrowserContextOptions, Page, Request, Response } from 'playwright-core';
import { launch } from './chromium.ts';

export const ADMIN = { email: 'admin@example.org', password: 'correct horse battery' };

const SETTINGS = {
  PARLANCE_ADMIN_EMAIL: ADMIN.email,
  PARLANCE_ADMIN_PASSWORD: ADMIN.password,
  // All requests come from one address and one user.
  PARLANCE_AUTH_REQUESTS_PER_MINUTE: '0',
  PARLANCE_REQUESTS_PER_MINUTE: '0',
  PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '0',
};

export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true };

/** What is ready without waiting for a time: how long a page may take to show something on a busy machine. */
const PATIENCE_MS = patience(30_000);

/** The built product with its built console, and a browser. */
export interface ConsoleWorld {
  readonly product: Product;
  readonly browser: Browser;
  /** The API as the first Admin. */
  readonly parlance: Parlance;
  /** A page of a new browser profile, and what it reported: errors of the page, of the console, and of the content security policy. */
  open(options?: BrowserContextOptions): Promise<{ readonly page: Page; readonly reported: readonly string[] }>;
  /** The same, signed in as the first Admin. */
  openSignedIn(options?: BrowserContextOptions): Promise<{ readonly page: Page; readonly reported: readonly string[] }>;
  stop(): Promise<void>;
}

export async function consoleWorld(settings: Readonly<Record<string, string>> = {}): Promise<ConsoleWorld> {
  const product = await oneProcess({ ...SETTINGS, ...settings });
  const browser = await launch();
  const parlance = new Parlance({ baseUrl: product.url });
  await parlance.signIn(ADMIN.email, ADMIN.password);
  const open = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ ...DESKTOP, locale: 'en-US', reducedMotion: 'reduce', baseURL: product.url, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const reported: string[] = [];
    page.on('pageerror', (error) => reported.push(`error: ${error.message}`));
    page.on('console', (message) => {
      // Refused requests are reported too. Whether they are right is asserted by what the page shows.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) reported.push(message.text());
    });
    return { page, reported };
  };
  return {
    product,
    browser,
    parlance,
    open,
    openSignedIn: async (options) => {
      const opened = await open(options);
      await opened.page.goto('/app/sign-in');
      await signIn(opened.page, ADMIN);
      return opened;
    },
    stop: async () => {
      await browser.close();
      await product.stop();
    },
  };
}

export async function signIn(page: Page, { email, password }: { readonly email: string; readonly password: string }): Promise<void> {
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
/** Where axe looks. React Aria keeps what it announced there for some seconds, also when the labelled element is gone. */
const CONTEXT = { exclude: ['[data-live-announcer]'] };
const OPTIONS = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  // Selectors of all that is right take longer than the checks.
  resultTypes: ['violations'],
};

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** The violations of WCAG 2.2 AA that axe finds on the page. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  if (page.frames().length > 1) throw new Error('The page has a frame, into which axe does not look from here: let it run there too.');
  // A changed theme takes effect with the next picture.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ readonly violations: readonly Violation[] }>(
    `axe.run(${JSON.stringify(CONTEXT)}, ${JSON.stringify(OPTIONS)}).then(({ violations }) => ({ violations }))`,
  );
  return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html.slice(0, 120)).join('; ')})`);
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOn(page)).toEqual([]);
}
