import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { expectAccessible, person, signIn } from '../console-world.ts';
import { type MailWorld, mailWorld } from '../mailbox.ts';

const NEW_PASSWORD = 'a password that was forgotten before';

describe('a user who has forgotten the password', () => {
  let world: MailWorld;
  beforeAll(async () => void (world = await mailWorld()));

  it('gets a link by mail, sets another password, and signs in with it', async () => {
    const jo = await person(world, 'jo');
    const { page, reported } = await world.open();
    await page.goto('/app/sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter');
    await page.getByLabel('E-mail').and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    await page.keyboard.type(jo.email);
    await page.keyboard.press('Enter');
    await page.getByText(`If ${jo.email} belongs to a user`).and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    // A mail about the first password may come before.
    const links = () => world.mailsTo(jo.email).flatMap((mail) => /\/app\/reset#[\w.-]+/.exec(mail)?.[0] ?? []);
    await waitFor(() => links().length === 1, { what: 'the mail with the link' });
    const [path] = links();
    await page.goto(path!);
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(/sign-in/);
    await signIn(page, { email: jo.email, password: NEW_PASSWORD });
    expect(reported).toEqual([]);
  });

  it('gets the same answer if no user has the address', async () => {
    const { page } = await world.open();
    await page.goto('/app/forgotten');
    await page.getByLabel('E-mail').fill('nobody@example.org');
    await page.keyboard.press('Enter');
    await page.getByText('If nobody@example.org belongs to a user').waitFor();
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in to Parlance' }).waitFor();
  });
});
