import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, consoleWorld, DESKTOP, PHONE, violationsOn } from './console-world.ts';
import { type Seeded, seed } from './seeded.ts';
import { addressOf, fileNameOf, SIGNED_IN_PAGES } from './signed-in-pages.ts';

const FOLDER = fileURLToPath(new URL('../../../.cache/console-screenshots', import.meta.url));
const LOOKS = {
  light: { ...DESKTOP, colorScheme: 'light' },
  dark: { ...DESKTOP, colorScheme: 'dark' },
  phone: { ...PHONE, colorScheme: 'light' },
} as const;

/** Pages before signing in. */
const ENTRY_PAGES: typeof SIGNED_IN_PAGES = [
  ['/sign-in', 'Sign in to Parlance'],
  ['/sign-in?error=no_such_account', 'Sign in to Parlance'],
  ['/sign-up', 'Create an account'],
  ['/forgotten', 'Reset your password by e-mail'],
  ['/reset', 'This link is incomplete'],
  ['/reset#a-token', 'Set a new password'],
  ['/welcome', 'This link is incomplete'],
  ['/shared', 'This link is incomplete'],
];

let world: ConsoleWorld;
let seeded: Seeded;
beforeAll(async () => {
  world = await consoleWorld();
  seeded = await seed(world);
  await mkdir(FOLDER, { recursive: true });
  console.info(`Screenshots are in ${FOLDER}`);
});

describe('the page', () => {
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    ({ page, reported } = await world.openSignedIn());
  });

  it.each(SIGNED_IN_PAGES)('%s loads, fits, and is accessible in light mode, in dark mode and on a phone', async (path, heading) => {
    await looksGood(page, reported, path, heading);
  });

  it('of a delivery shows its event, fits, and is accessible in light mode, in dark mode and on a phone', async () => {
    await page.setViewportSize(DESKTOP.viewport);
    await page.goto(`/app/admin/webhooks/${seeded.webhookId}`);
    await page.getByRole('button', { name: 'Show the delivery of parlance.bots.bot-created.v1' }).first().click();
    await page.getByRole('region', { name: 'Event, as it is sent' }).getByText('"source": "/bots"').waitFor();
    await inAllLooks(page, 'admin-webhooks-delivery');
  });
});

it('scrolls to the tab of the open page on a phone if the tabs are wider than the screen', async () => {
  const { page } = await world.openSignedIn(PHONE);
  await page.goto('/app/account/data');
  const tab = page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Your data' });
  await tab.waitFor();
  await waitFor(async () => {
    const { x, width } = (await tab.boundingBox())!;
    return x >= 0 && x + width <= PHONE.viewport.width;
  });
});

it('changes the theme without an animation for a user who prefers reduced motion', async () => {
  const { page } = await world.open({ reducedMotion: 'reduce', colorScheme: 'light' });
  await page.goto('/app/sign-in');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  // `getAnimations` first applies the changed styles, so it would list a transition.
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

describe('the page before signing in', () => {
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    ({ page, reported } = await world.open());
  });

  it.each(ENTRY_PAGES)('%s loads, fits, and is accessible in light mode, in dark mode and on a phone', async (path, heading) => {
    await looksGood(page, reported, path, heading);
  });

  it('for choosing a new password loads, fits, and is accessible in light mode, in dark mode and on a phone', async () => {
    const person = { email: `temporary-${world.id}@example.org`, first_name: 'Temporary', last_name: 'Password' };
    const { temporary_password: password } = await world.parlance.api.post('/admin/users', { body: person });
    await page.setViewportSize(DESKTOP.viewport);
    await page.goto('/app/sign-in');
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(password!);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor();
    await inAllLooks(page, 'new-password');
    expect(reported).toEqual([]);
  });
});

async function looksGood(page: Page, reported: readonly string[], path: string, heading: string | RegExp): Promise<void> {
  const address = addressOf(path, seeded);
  const before = reported.length;
  await page.setViewportSize(DESKTOP.viewport);
  // Changing only the fragment would not load the page.
  if (address.includes('#')) await page.goto('about:blank');
  await page.goto(address);
  await page.getByRole('heading', { level: 1, name: heading }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await inAllLooks(page, fileNameOf(path));
  expect(reported.slice(before)).toEqual([]);
}

async function inAllLooks(page: Page, name: string): Promise<void> {
  for (const [look, { viewport, colorScheme }] of Object.entries(LOOKS)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    expect([look, ...(await violationsOn(page))]).toEqual([look]);
    await page.screenshot({ path: join(FOLDER, `${name}.${look}.png`) });
    expect([look, await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')]).toEqual([look, true]);
  }
}
