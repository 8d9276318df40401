import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, consoleWorld, expectAccessible, signIn } from '../console-world.ts';
import { type Mailbox, mailbox } from '../mailbox.ts';

const ANN = { email: 'ann@example.org', password: 'a password that ann chose' };

describe('a user whose address has to be verified', () => {
  let box: Mailbox;
  let world: ConsoleWorld;
  beforeAll(async () => {
    box = await mailbox();
    world = await consoleWorld({
      PARLANCE_SMTP_URL: box.url,
      PARLANCE_MAIL_FROM: 'no-reply@example.org',
      PARLANCE_REQUIRE_VERIFIED_EMAIL: 'true',
      PARLANCE_SELF_SIGN_UP_ENABLED: 'true',
    });
  });
  afterAll(async () => {
    await world?.stop();
    await box?.stop();
  });

  /** What is answered to the request for a mail. */
  async function sendAnother(page: Page) {
    const answer = page.waitForResponse('**/auth/email-verification/request');
    await page.getByRole('button', { name: 'Send another mail' }).press('Enter');
    const { status, body } = { status: (await answer).status(), body: (await answer).request().postDataJSON() as unknown };
    await page.getByText('A mail to ann@example.org is on its way').waitFor();
    return [status, body];
  }

  it('can send another mail after the sign-up and at the sign-in, and signs in after the link was opened', async () => {
    const { page, reported } = await world.open();
    await page.goto('/app/sign-up');
    await page.getByLabel('First name').fill('Ann');
    await page.getByLabel('Last name').fill('Example');
    await page.getByLabel('E-mail').fill(ANN.email);
    await page.getByLabel('Password', { exact: true }).fill(ANN.password);
    await page.keyboard.press('Enter');
    await page.getByText('The account is made.').and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    expect(await sendAnother(page)).toEqual([202, { email: ANN.email }]);

    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').fill(ANN.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: 'Send another mail' }).count()).toBe(0);
    await page.getByLabel('Password', { exact: true }).fill(ANN.password);
    await page.keyboard.press('Enter');
    await page.getByText('Your e-mail address is not confirmed yet.').waitFor();
    await expectAccessible(page);
    expect(await sendAnother(page)).toEqual([202, { email: ANN.email }]);
    await expectAccessible(page);

    await waitFor(() => box.mails.length > 0, { what: 'the mail' });
    const [, path] = /(\/app\/verification#[\w.-]+)/.exec(box.mails.at(-1)!)!;
    await page.goto(path!);
    await page.getByRole('button', { name: 'Confirm the address' }).press('Enter');
    await page.waitForURL(/sign-in/);
    await signIn(page, ANN);
    expect(reported).toEqual([]);
  });
});
