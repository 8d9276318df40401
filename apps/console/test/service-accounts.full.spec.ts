import { beforeAll, describe, expect, it } from '@jest/globals';
import { Parlance } from '@parlance/client';
import type { Page } from 'playwright-core';
import { codeOf, protect } from './authenticator.ts';
import { type ConsoleWorld, consoleWorld, expectAccessible } from './console-world.ts';

describe('service accounts', () => {
  let world: ConsoleWorld;
  let page: Page;
  let reported: readonly string[];
  let secret: string;
  beforeAll(async () => {
    world = await consoleWorld();
    await world.parlance.api.post('/admin/groups', { body: { name: 'Robots' } });
    ({ page, reported } = await world.openSignedIn());
  });

  const accounts = async () => (await world.parlance.api.get('/admin/service-accounts')).service_accounts;
  const answer = () =>
    new Parlance({ baseUrl: world.product.url, accessToken: secret }).api.get('/bot').then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    );
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const inBothThemes = async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
  };

  it('are created with an owner and further groups', async () => {
    await page.goto('/app/admin/service-accounts');
    await page.getByText('There are no service accounts').waitFor();
    await press('New service account');
    const dialog = page.getByRole('dialog', { name: 'New service account' });
    await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.locator('[slot="errorMessage"]', { hasText: 'Choose a group.' }).waitFor();
    await inBothThemes();
    await dialog.getByLabel('Name').fill('Importer');
    await dialog.getByRole('button', { name: 'Owner' }).click();
    await page.getByRole('option', { name: 'Robots' }).click();
    await dialog.getByRole('checkbox', { name: 'CreatingBotAllowed' }).press('Space');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Importer' }).waitFor();
    const [account] = await accounts();
    expect(account).toMatchObject({ name: 'Importer', group: 'Robots', enabled: true });
    expect([...account!.groups].sort()).toEqual(['CreatingBotAllowed', 'Robots']);
  });

  it('get tokens that are shown once', async () => {
    await press('New token');
    await page.getByRole('dialog').getByLabel('Description').fill('Nightly import');
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: /bots:read/ })
      .press('Space');
    await confirm('Create');
    secret = await page.getByRole('dialog').getByRole('region', { name: 'Token' }).innerText();
    await confirm('I have copied it');
    await page.getByRole('button', { name: 'Revoke Nightly import' }).waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    expect(await answer()).toBe('accepted');
    await inBothThemes();
  });

  it('can be disabled, which disables their tokens, and enabled and renamed', async () => {
    await press('Disable');
    await confirm('Disable');
    await page.getByText('Service account disabled.').waitFor();
    expect(await answer()).toBe('invalid_token');
    await press('Enable');
    await page.getByText('Its tokens are accepted again.').waitFor();
    expect(await answer()).toBe('accepted');
    await press('Rename');
    await page.getByRole('dialog').getByLabel('Name').fill('Loader');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Loader' }).waitFor();
  });

  it('have tokens that are listed with all other tokens and can be revoked there', async () => {
    await page.goto('/app/admin/tokens');
    await page.getByRole('link', { name: 'Loader (service account)' }).waitFor();
    await page.getByText(/^Created by /).waitFor();
    await inBothThemes();
    await press('Revoke Nightly import');
    await confirm('Revoke');
    await page.getByText('There are no access tokens').waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'content');
    expect(await answer()).toBe('invalid_token');
  });

  it('are marked when the group that owns them was deleted', async () => {
    await world.parlance.api.delete('/admin/groups/{name}', { path: { name: 'Robots' } });
    await page.goto('/app/admin/service-accounts');
    await page.getByRole('row', { name: /Loader Robots deleted/ }).waitFor();
    await page.getByRole('link', { name: 'Loader' }).click();
  });

  it('are deleted after a second factor, and leave a receipt', async () => {
    const { secret: factor } = await protect(world.parlance, world.admin.password);
    await press('Delete');
    await confirm('Delete permanently');
    const question = page.getByRole('dialog', { name: 'Confirm with your second factor' });
    await question.getByLabel('Code from the authenticator app').fill(codeOf(factor));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Service account deleted' }).waitFor();
    await page.getByText('Keep this receipt').waitFor();
    expect(await accounts()).toEqual([]);
    await page.reload();
    await page.getByText('There is no such service account').waitFor();
    await page.getByRole('link', { name: 'All service accounts' }).click();
    await page.getByText('There are no service accounts').waitFor();
    expect(reported).toEqual([]);
  });
});
