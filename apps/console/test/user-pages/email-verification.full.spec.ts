import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { type Credentials, expectAccessible, signIn } from '../console-world.ts';
import { type MailWorld, mailWorld } from '../mailbox.ts';

describe('a user whose address has to be verified', () => {
  let world: MailWorld;
  let ann: Credentials;
  beforeAll(async () => {
    world = await mailWorld({ PARLANCE_REQUIRE_VERIFIED_EMAIL: 'true', PARLANCE_SELF_SIGN_UP_ENABLED: 'true' }, { isOwn: true });
    ann = { email: `ann-${world.id}@example.org`, password: 'a password that ann chose' };
  });

  /** The page's answer to the request for an e-mail. */
  async function sendAnother(page: Page) {
    const answer = page.waitForResponse('**/auth/email-verification/request');
    await page.getByRole('button', { name: 'Send another e-mail' }).press('Enter');
    const { status, body } = { status: (await answer).status(), body: (await answer).request().postDataJSON() as unknown };
    await page.getByText(`An e-mail to ${ann.email} is on its way`).waitFor();
    return [status, body];
  }

  it('can send another mail after the sign-up and at the sign-in, and signs in after the link was opened', async () => {
    const { page, reported } = await world.open();
    await page.goto('/app/sign-up');
    await page.getByLabel('First name').fill('Ann');
    await page.getByLabel('Last name').fill('Example');
    await page.getByLabel('E-mail').fill(ann.email);
    await page.getByLabel('Password', { exact: true }).fill(ann.password);
    await page.keyboard.press('Enter');
    await page.getByText('Account created.').and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    expect(await sendAnother(page)).toEqual([202, { email: ann.email }]);

    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').fill(ann.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: 'Send another e-mail' }).count()).toBe(0);
    await page.getByLabel('Password', { exact: true }).fill(ann.password);
    await page.keyboard.press('Enter');
    await page.getByText('Your e-mail address is not confirmed yet.').waitFor();
    await expectAccessible(page);
    expect(await sendAnother(page)).toEqual([202, { email: ann.email }]);
    await expectAccessible(page);

    await waitFor(() => world.mailsTo(ann.email).length > 0, { what: 'the mail' });
    const [, path] = /(\/app\/verification#[\w.-]+)/.exec(world.mailsTo(ann.email).at(-1)!)!;
    await page.goto(path!);
    await page.getByRole('button', { name: 'Confirm the address' }).press('Enter');
    await page.waitForURL(/sign-in/);
    await signIn(page, ann);
    expect(reported).toEqual([]);
  });
});
