import { beforeAll, describe, expect, it } from '@jest/globals';
import { Parlance, ParlanceError } from '@parlance/client';
import { atEnd, type ConsoleWorld, consoleWorld, expectAccessible, person } from '../console-world.ts';

let world: ConsoleWorld;
beforeAll(async () => void (world = await consoleWorld()));

const clientOf = (token: string) => new Parlance({ baseUrl: world.product.url, accessToken: token });

describe('the page of access tokens', () => {
  it('creates a token that is shown once and has the chosen permissions, and revokes it', async () => {
    const gil = await person(world, 'gil');
    const { page, reported } = await world.openAs(gil, '/app/account/tokens');
    await page.getByText('You have no access tokens').waitFor();
    await page.getByRole('button', { name: 'New token' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'New access token' });
    await page.getByLabel('Description').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Nightly report');
    expect(await form.getByRole('checkbox').count()).toBe(5);
    await page.keyboard.press('Enter');
    await form.getByText('Choose at least one permission.').waitFor();
    await expectAccessible(page);
    await form.getByRole('checkbox', { name: /Chats/ }).press('Space');
    await form.getByLabel('Allowed IP ranges').fill('no range');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByLabel('Allowed IP ranges').and(page.locator('[aria-invalid]')).waitFor();
    await form.getByLabel('Allowed IP ranges').fill('127.0.0.0/8\n::1/128');
    await form.getByRole('button', { name: 'Create' }).click();
    const shown = page.getByRole('dialog', { name: 'Your access token' });
    const token = await shown.getByRole('region', { name: 'Token' }).innerText();
    await expectAccessible(page);
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('Only from 127.0.0.0/8, ::1/128').waitFor();
    expect(await page.getByText(token).count()).toBe(0);
    await expectAccessible(page);

    expect((await clientOf(token).me()).user_id).toBe(gil.userId);
    await expect(clientOf(token).bots.list().next()).rejects.toMatchObject({ code: 'scope_missing' });

    await page.getByRole('button', { name: 'Revoke Nightly report' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('You have no access tokens').waitFor();
    await expect(clientOf(token).me()).rejects.toBeInstanceOf(ParlanceError);
    expect(reported).toEqual([]);
  });

  it('reports that the token is lost if the answer was lost', async () => {
    const hal = await person(world, 'hal');
    atEnd(() => world.parlance.admin.eraseUser(hal.userId));
    const { page } = await world.openAs(hal, '/app/account/tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    const form = page.getByRole('dialog', { name: 'New access token' });
    await form.getByLabel('Description').fill('Lost');
    await form.getByRole('checkbox', { name: /Chats/ }).press('Space');
    let answers = 0;
    await page.route('**/user/me/tokens', async (route) => {
      if (route.request().method() !== 'POST' || ++answers > 1) return route.fallback();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('The response with the secret was lost').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Revoke Lost' }).waitFor();
  });
});
