import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { expectAccessible } from './console-world.ts';
import { type MailWorld, mailWorld } from './mailbox.ts';

describe('invitations', () => {
  let world: MailWorld;
  let [ann, bob] = ['', ''];
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await mailWorld();
    [ann, bob] = [`ann-${world.id}@example.org`, `bob-${world.id}@example.org`];
    ({ page, reported } = await world.openSignedIn());
    await page.goto('/app/admin/invitations');
  });

  const invite = async (email: string) => {
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite a person' });
    await dialog.getByLabel('E-mail').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(email);
    return dialog;
  };

  const invitationIn = (mail: string) => /\/app\/invitation#[\w.-]+/.exec(mail)![0];

  it('are sent by mail, and make a user in the chosen groups', async () => {
    const dialog = await invite(ann);
    await dialog.getByRole('checkbox', { name: 'CreatingBotAllowed' }).press('Space');
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    await dialog.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText(`Invitation sent to ${ann}.`).waitFor();
    await page.getByRole('row', { name: new RegExp(`${ann} CreatingBotAllowed`) }).waitFor();
    await expectAccessible(page);
    await waitFor(() => world.mailsTo(ann).length === 1, { what: 'the mail' });
    const path = invitationIn(world.mailsTo(ann)[0]!);

    const { page: invited } = await world.open();
    await invited.goto(path);
    await invited.getByText(`The account will belong to ${ann}.`).waitFor();
    await expectAccessible(invited);
    await invited.getByLabel('First name').fill('Ann');
    await invited.getByLabel('Last name').fill('Example');
    await invited.getByLabel('Password', { exact: true }).fill('a password that ann chose');
    await invited.keyboard.press('Enter');
    await invited.locator('main#content').waitFor();
    const { users } = await world.parlance.api.get('/admin/users', { query: { prefix: ann, include_all: true } });
    expect(users).toMatchObject([{ first_name: 'Ann', groups: ['CreatingBotAllowed'] }]);
    await page.reload();
    await page.getByText('There are no open invitations').waitFor();
  });

  it('are refused for an address that has a user', async () => {
    const dialog = await invite(ann);
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
  });

  it('are revoked', async () => {
    await invite(bob);
    await page.keyboard.press('Enter');
    // The mail of a revoked invitation is no longer sent.
    await waitFor(() => world.mailsTo(bob).length === 1, { what: 'the mail' });
    await page.getByRole('button', { name: `Revoke the invitation to ${bob}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('Invitation revoked.').waitFor();
    const { page: uninvited } = await world.open();
    await uninvited.goto(invitationIn(world.mailsTo(bob)[0]!));
    await uninvited.getByRole('alert').waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'content');
    await page.getByText('There are no open invitations').waitFor();
    expect((await world.parlance.api.get('/admin/invitations')).invitations).toEqual([]);
    expect(reported).toEqual([]);
  });
});
