import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { codeOf } from './authenticator.ts';
import { atEnd, type ConsoleWorld, consoleWorld, expectAccessible, GUARDED, person, signIn } from './console-world.ts';

let world: ConsoleWorld;
beforeAll(async () => void (world = await consoleWorld()));

/** Adds an authenticator app on the page, and closes the recovery codes. */
async function addApp(page: Page, password: string, stepsLater: number): Promise<readonly string[]> {
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  const asking = page.getByRole('dialog', { name: 'Add an authenticator app' });
  await asking.getByLabel('Your password').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('a wrong password');
  await page.keyboard.press('Enter');
  await asking.getByText('The current password is wrong.').waitFor();
  await expectAccessible(page);
  await asking.getByLabel('Your password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code from the authenticator app').and(page.locator(':focus')).waitFor();
  await expectAccessible(page);
  const secret = await page.locator('code').innerText();
  expect(secret).toMatch(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/);
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const address = await page.getByRole('link', { name: 'Open in an authenticator app' }).getAttribute('href');
  expect(address).toContain(`secret=${secret.replaceAll(' ', '')}`);
  await page.keyboard.type(codeOf(secret, stepsLater));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Recovery codes' });
  await dialog.waitFor();
  await expectAccessible(page);
  const codes = await dialog.getByRole('listitem').allInnerTexts();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download the codes' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toBe(`${codes.join('\n')}\n`);
  await dialog.getByRole('button', { name: 'I have saved the codes' }).click();
  return codes;
}

describe('the account page', () => {
  it('leads a user without a password to a fresh sign-in at the identity provider', async () => {
    const una = await person(world, 'una');
    const { page } = await world.open();
    const providers = [{ id: 'acme', name: 'Acme', start_url: 'https://chat.example.org/auth/oidc/acme/start' }];
    await page.route('**/auth/options', async (route) => route.fulfill({ json: { ...(await (await route.fetch()).json()), providers } }));
    await page.route('**/user/me/factors', (route) =>
      route.fulfill({ json: { required: false, proof_to_add: 'recent_sign_in', factors: [], recovery_codes_left: 0 } }),
    );
    await page.goto('/app/sign-in');
    await signIn(page, una);
    await page.goto('/app/account');
    const link = page.getByRole('link', { name: 'Sign in again with Acme' });
    await link.waitFor();
    await expectAccessible(page);
    const address = new URL((await link.getAttribute('href')) ?? '');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({ fresh: 'true', return_to: '/app/sign-in/done?next=%2Faccount' });
  });

  it('cancels adding an authenticator app at its QR code', async () => {
    const gus = await person(world, 'gus');
    const { page } = await world.openAs(gus, '/app/account');
    const add = page.getByRole('button', { name: 'Add an authenticator app' });
    await add.click();
    await page.getByLabel('Your password').fill(gus.password);
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await add.and(page.locator(':focus')).waitFor();
    expect(await page.getByRole('img', { name: 'QR code for the authenticator app' }).count()).toBe(0);
  });

  it('adds an authenticator app, makes new recovery codes, and removes the app', async () => {
    const eve = await person(world, 'eve');
    const { page } = await world.openAs(eve, '/app/account');
    const codes = await addApp(page, eve.password, -1);
    expect(new Set(codes).size).toBe(10);
    await page.getByText('10 recovery codes are left.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create new recovery codes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create new recovery codes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Recovery codes', exact: true });
    await dialog.getByRole('listitem').first().waitFor();
    expect(codes).not.toContain(await dialog.getByRole('listitem').first().innerText());
    await dialog.getByRole('button', { name: 'I have saved the codes' }).click();
    await page.getByRole('button', { name: 'Remove the app' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Your account has no second factor.').waitFor();
    await page.getByText('Passkeys cannot be added: they need a host name').waitFor();
    expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0);
  });
});

describe('a user whose group needs a second factor', () => {
  it('adds one before anything else, and continues to the requested page', async () => {
    const fay = await person(world, 'fay');
    const { api } = world.parlance;
    await api.post('/admin/groups', { body: { name: GUARDED } });
    atEnd(() => api.delete('/admin/groups/{name}', { path: { name: GUARDED } }));
    await world.parlance.admin.addToGroup(fay.userId, GUARDED);
    const { page } = await world.open();
    await page.goto('/app/store');
    await page.getByLabel('E-mail').fill(fay.email);
    await page.getByLabel('Password', { exact: true }).fill(fay.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/app\/second-factor\?next=/);
    await page.getByRole('heading', { name: 'A second factor is required' }).waitFor();
    await page.goto('/app/bots');
    await page.waitForURL(/\/app\/second-factor\?next=/);
    await addApp(page, fay.password, -1);
    await page.waitForURL(/\/app\/bots$/);
    await page.locator('main#content').waitFor();
  });
});
