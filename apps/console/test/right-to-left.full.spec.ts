import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, consoleWorld, DESKTOP, PHONE, violationsOn } from './console-world.ts';
import { type Seeded, seed } from './seeded.ts';
import { addressOf, fileNameOf } from './signed-in-pages.ts';

const FOLDER = fileURLToPath(new URL('../../../.cache/console-screenshots/right-to-left', import.meta.url));
/** A page of each kind: a chat, a form, a table with filters, charts, settings. */
const PAGES = [
  '/c/{conversationId}',
  '/bots/{botId}/edit',
  '/bots/{botId}/insights',
  '/store/{botId}',
  '/account',
  '/admin/users',
  '/admin/costs',
  '/admin/audit',
  '/admin/webhooks/{webhookId}',
] as const;

/** No right-to-left language is offered yet, so the document's direction is changed by hand. */
describe('a page with right-to-left text direction', () => {
  let world: ConsoleWorld;
  let seeded: Seeded;
  let page: Page;
  beforeAll(async () => {
    world = await consoleWorld();
    seeded = await seed(world);
    await mkdir(FOLDER, { recursive: true });
    ({ page } = await world.openSignedIn());
  });

  it.each(PAGES)('%s fits a screen and a phone, and is accessible', async (path) => {
    await page.setViewportSize(DESKTOP.viewport);
    await page.goto(addressOf(path, seeded));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate("document.documentElement.dir = 'rtl'");
    for (const [look, { viewport }] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
      await page.setViewportSize(viewport);
      await page.screenshot({ path: join(FOLDER, `${fileNameOf(path)}.${look}.png`) });
      expect([look, ...(await violationsOn(page))]).toEqual([look]);
      expect([look, await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')]).toEqual([look, true]);
    }
  });
});
