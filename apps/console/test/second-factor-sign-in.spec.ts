import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { codeOf, protectedPerson, wrongCodeOf } from './authenticator.ts';
import { type ConsoleWorld, consoleWorld, expectAccessible, type Person } from './console-world.ts';

let world: ConsoleWorld;
beforeAll(async () => void (world = await consoleWorld()));

const FREE_FAILURES = 10;
const field = (page: Page) => page.getByLabel('Code from the authenticator app');

/** Enters e-mail and password, with the keyboard alone, and waits for the second step. */
async function toSecondStep(page: Page, { email, password }: Person, address = '/app/sign-in'): Promise<string> {
  await page.goto(address);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  const answer = page.waitForResponse('**/auth/sign-in');
  await page.keyboard.press('Enter');
  const { challenge_token } = (await (await answer).json()) as { challenge_token: string };
  await page.getByRole('heading', { name: 'Enter the second factor' }).waitFor();
  return challenge_token;
}

describe('a sign-in with a second factor', () => {
  it('asks for a code after the password, and continues to the requested page', async () => {
    const ann = await protectedPerson(world, 'ann');
    const { page, reported } = await world.open();
    await toSecondStep(page, ann, '/app/store');
    expect(await page.locator(':focus').getAttribute('autocomplete')).toBe('one-time-code');
    await expectAccessible(page);
    await page.keyboard.type('123');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the six digits').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(wrongCodeOf(ann.secret));
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The code is wrong, or was already used.').waitFor();
    await expectAccessible(page);
    // The field is empty, and has the focus.
    expect(await field(page).inputValue()).toBe('');
    await page.keyboard.type(codeOf(ann.secret));
    await page.keyboard.press('Enter');
    await page.locator('main#content').waitFor();
    await page.waitForURL(/\/app\/store$/);
    await page.reload();
    await page.locator('main#content').waitFor();
    expect(reported).toEqual([]);
  });

  it('accepts a recovery code once', async () => {
    const ben = await protectedPerson(world, 'ben');
    for (const isUsed of [false, true]) {
      const { page } = await world.open();
      await toSecondStep(page, ben);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.getByLabel('Recovery code').and(page.locator(':focus')).waitFor();
      await expectAccessible(page);
      await page.keyboard.type(ben.recoveryCodes[0]!);
      await page.keyboard.press('Enter');
      if (isUsed) await page.getByText('The recovery code is wrong, or was already used.').waitFor();
      else await page.locator('main#content').waitFor();
    }
  });

  it('shows how long to wait after too many wrong codes', async () => {
    const cleo = await protectedPerson(world, 'cleo');
    for (let index = 0; index < FREE_FAILURES; index++)
      await cleo.parlance.api.post('/user/me/step-up', { body: { code: wrongCodeOf(cleo.secret) } }).catch(() => undefined);
    const { page } = await world.open();
    await toSecondStep(page, cleo);
    await page.keyboard.type(codeOf(cleo.secret));
    await page.keyboard.press('Enter');
    await page.getByText('Too many wrong codes.').waitFor();
    await page.getByText(/You can try again in \d+ seconds?\./).waitFor();
  });

  it('begins again with the password when its challenge has expired', async () => {
    const dan = await protectedPerson(world, 'dan');
    const { page } = await world.open();
    const challenge = await toSecondStep(page, dan);
    await dan.parlance.secondFactor(challenge, { code: codeOf(dan.secret) });
    await page.keyboard.type(codeOf(dan.secret, 1));
    await page.keyboard.press('Enter');
    await page.getByText('Enter your password again.').waitFor();
    await page.getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(dan.email);
    await expectAccessible(page);
  });
});
