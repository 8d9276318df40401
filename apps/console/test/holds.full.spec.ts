import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { codeOf, protect } from './authenticator.ts';
import { type ConsoleWorld, consoleWorld, expectAccessible, type Person, person } from './console-world.ts';

describe('holds', () => {
  let world: ConsoleWorld;
  let page: Page;
  let reported: readonly string[];
  let heldUser: Person;
  beforeAll(async () => {
    world = await consoleWorld();
    heldUser = await person(world, 'kim');
    ({ page, reported } = await world.openSignedIn());
    await page.goto('/app/admin/holds');
  });

  const holds = async () => (await world.parlance.api.get('/admin/holds')).holds;
  const endHold = () => page.getByRole('button', { name: `End the hold on ${heldUser.email}` });

  it('are placed with a reason, and keep the user', async () => {
    await page.getByRole('button', { name: 'Place a hold' }).click();
    const dialog = page.getByRole('dialog', { name: 'Place a hold' });
    await dialog.getByRole('button', { name: 'Place the hold' }).click();
    await dialog.getByText('Enter a reason.').waitFor();
    await dialog.getByText('Choose one from the list, or enter an ID.').waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    await dialog.getByRole('combobox', { name: 'User' }).fill(heldUser.name);
    await page.getByRole('option', { name: `${heldUser.name} Example (${heldUser.email})` }).click();
    await dialog.getByLabel('Reason').fill('File 12/2026');
    await dialog.getByRole('button', { name: 'Place the hold' }).click();
    await endHold().waitFor();
    await page.getByRole('row', { name: new RegExp(`${heldUser.email} User File 12/2026`) }).waitFor();
    await expectAccessible(page);
    expect(await holds()).toMatchObject([{ user_id: heldUser.userId, bot_id: null, reason: 'File 12/2026' }]);
    await expect(world.parlance.admin.eraseUser(heldUser.userId)).rejects.toMatchObject({ status: 409 });
  });

  it('show the name of a user beyond the first thousand', async () => {
    await page.route('**/admin/users?*', (route) => route.fulfill({ json: { users: [], next_token: 'more' } }));
    await page.reload();
    await page.getByRole('button', { name: `End the hold on ${heldUser.name} Example` }).waitFor();
    await page.unroute('**/admin/users?*');
    await page.reload();
    await endHold().waitFor();
  });

  it('show why a bot cannot be held', async () => {
    await page.getByRole('button', { name: 'Place a hold' }).click();
    const dialog = page.getByRole('dialog', { name: 'Place a hold' });
    await dialog.getByRole('button', { name: 'Protect' }).click();
    await page.getByRole('option', { name: 'A bot with all conversations' }).click();
    await dialog.getByRole('combobox', { name: 'Bot' }).fill('no such bot');
    await page.keyboard.press('Tab');
    await dialog.getByLabel('Reason').fill('None');
    await dialog.getByRole('button', { name: 'Place the hold' }).click();
    await dialog.getByText('Choose one from the list, or enter an ID.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('end after a second factor', async () => {
    const { secret } = await protect(world.parlance, world.admin.password);
    await endHold().click();
    await page.getByRole('dialog', { name: 'End the hold?' }).getByRole('button', { name: 'End', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Confirm with your second factor' });
    await question.getByLabel('Code from the authenticator app').fill(codeOf(secret));
    await page.keyboard.press('Enter');
    await page.getByText('Hold ended.').waitFor();
    await page.getByText('There are no holds').waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'content');
    expect(await holds()).toEqual([]);
    expect(reported).toEqual([]);
  });
});
