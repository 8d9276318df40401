import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { languages } from '../../src/messages/languages.ts';
import { type ConsoleWorld, consoleWorld, PHONE, violationsOn } from '../console-world.ts';
import { type Seeded, seed } from '../seeded.ts';
import { addressOf, fileNameOf, SIGNED_IN_PAGES } from '../signed-in-pages.ts';

const FOLDER = fileURLToPath(new URL('../../../../.cache/console-screenshots/languages', import.meta.url));
/** What most people use. Accessibility hardly depends on the language, so the other pages are only checked in English. */
const MAIN_PAGES = new Set([
  '/',
  '/c/{conversationId}',
  '/bots',
  '/bots/{botId}/edit',
  '/store',
  '/account',
  '/account/memory',
  '/admin',
  '/admin/users',
  '/admin/costs',
]);
/** English is tested in `pages.full.spec.ts`. */
const TRANSLATIONS = languages.filter((language) => language !== 'en');

describe.each(TRANSLATIONS)('in the language %s', (language) => {
  let world: ConsoleWorld;
  let seeded: Seeded;
  let page: Page;
  beforeAll(async () => {
    world = await consoleWorld();
    seeded = await seed(world);
    await mkdir(join(FOLDER, language), { recursive: true });
    await world.admin.parlance.api.patch('/user/me', { body: { language } });
    ({ page } = await world.openSignedIn(PHONE));
  });
  afterAll(() => world.admin.parlance.api.patch('/user/me', { body: { language: null } }));

  it.each(SIGNED_IN_PAGES.map(([path]) => path))('the page %s fits a phone, and a main page is accessible', async (path) => {
    await page.goto(addressOf(path, seeded));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate('document.documentElement.lang')).toBe(language);
    await page.screenshot({ path: join(FOLDER, language, `${fileNameOf(path)}.png`), fullPage: true });
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    if (MAIN_PAGES.has(path)) expect(await violationsOn(page)).toEqual([]);
  });
});
