import { beforeAll, describe, expect, it } from '@jest/globals';
import { Parlance } from '@parlance/client';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, consoleWorld, type Credentials, expectAccessible } from '../console-world.ts';

describe('a user, from the creation to the erasure', () => {
  let world: ConsoleWorld;
  let BEA: Credentials;
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await consoleWorld();
    BEA = { email: `bea-${world.id}@example.org`, password: 'a password of her own' };
    ({ page, reported } = await world.openSignedIn());
  });

  const dialog = () => page.getByRole('dialog');
  const bea = () => new Parlance({ baseUrl: world.product.url });
  const signIn = () =>
    bea()
      .signIn(BEA.email, BEA.password)
      .then(
        () => 'accepted',
        (error: { code: string }) => error.code,
      );
  const choose = async (action: string) => {
    await page.getByRole('main').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };

  it('is created with a temporary password, which is shown once', async () => {
    await page.goto('/app/admin/users');
    await page.getByRole('button', { name: 'Create a user' }).click();
    await dialog().getByLabel('E-mail').fill(BEA.email);
    await dialog().getByLabel('First name').fill('Bea');
    await dialog().getByLabel('Last name').fill('Otherwise');
    await dialog().getByRole('button', { name: 'Create a user' }).click();
    await page.getByRole('dialog', { name: 'User created' }).waitFor();
    await expectAccessible(page);
    const temporary = await dialog().locator('code').innerText();
    const user = bea();
    await user.signIn(BEA.email, temporary);
    expect(user.session.mustChangePassword).toBe(true);
    await user.session.changePassword(temporary, BEA.password);
    await user.conversations.ask({ message: { content: [{ content_type: 'text', body: 'Hello' }] } });
    await dialog().getByRole('link', { name: 'Open the user' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bea Otherwise' }).waitFor();
    expect(await page.getByText(temporary).count()).toBe(0);
  });

  it('gets the rights of a group', async () => {
    const user = bea();
    await user.signIn(BEA.email, BEA.password);
    await expect(user.bots.create({ title: 'Too early' })).rejects.toMatchObject({ status: 403 });
    await page.locator('button[aria-label="Add to a group"]').or(page.getByLabel('Add to a group')).first().click();
    await page.getByRole('option', { name: 'CreatingBotAllowed' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Added to CreatingBotAllowed.').waitFor();
    await user.signIn(BEA.email, BEA.password);
    await user.bots.create({ title: 'Now' });
  });

  it('is disabled and enabled', async () => {
    await choose('Disable');
    await dialog().getByRole('button', { name: 'Disable' }).click();
    await page.getByText('User disabled.').waitFor();
    expect(await signIn()).not.toBe('accepted');
    await choose('Enable');
    await page.getByText('User enabled.').waitFor();
    expect(await signIn()).toBe('accepted');
  });

  it('is erased after the address is typed, and leaves a receipt of each service', async () => {
    await choose('Erase');
    const erase = dialog().getByRole('button', { name: 'Erase permanently' });
    await dialog().getByLabel('Type the e-mail address to confirm').fill('somebody@example.org');
    expect(await erase.isDisabled()).toBe(true);
    await dialog().getByLabel('Type the e-mail address to confirm').fill(BEA.email);
    await erase.click();
    await page.getByRole('heading', { level: 1, name: 'User erased' }).waitFor();
    await page.getByText('Keep this receipt').and(page.locator(':focus')).waitFor();
    const receipt = page.getByRole('region', { name: 'Erasure receipt' });
    for (const service of ['identity', 'inference', 'bots', 'analytics'])
      await receipt.getByRole('row', { name: new RegExp(service) }).waitFor();
    await receipt.getByText(/conversations: 1/).waitFor();
    await expectAccessible(page);
    expect(await signIn()).not.toBe('accepted');
    await page.getByRole('link', { name: 'All users' }).click();
    await page.getByRole('searchbox').fill(BEA.email);
    await page.waitForURL(/bea/);
    // The list comes from analytics, which receives the erasure after the receipt is complete.
    await waitFor(async () => {
      await page.reload();
      await page.getByText(BEA.email).or(page.getByText('No user matches')).first().waitFor();
      return (await page.getByRole('main').getByText(BEA.email).count()) === 0;
    });
    expect(reported).toEqual([]);
  });
});
