import { describe, expect, it } from '@jest/globals';
import { freePort, waitFor } from '@parlance/testing';
import type { CDPSession, Page } from 'playwright-core';
import { codeOf, protect } from '../authenticator.ts';
import { consoleWorld, expectAccessible, GUARDED, type Person, person, signIn } from '../console-world.ts';

const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

/** Keeps the signal that cancels the browser's prompt. */
const KEEP_SIGNAL = `{
  const create = navigator.credentials.create.bind(navigator.credentials);
  navigator.credentials.create = (options) => create(((globalThis.kept = options.signal), options));
}`;

/** Passkeys belong to a host name, so pages are opened at one. */
const port = String(await freePort());
const baseURL = `http://localhost:${port}`;
const world = await consoleWorld({ PARLANCE_PORT: port, PARLANCE_PUBLIC_BASE_URL: baseURL }, { isOwn: true });

interface Device {
  readonly page: Page;
  readonly reported: readonly string[];
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

/** A new browser profile with an authenticator of its own. */
async function device(): Promise<Device> {
  const { page, reported } = await world.open({ baseURL });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR });
  return { page, reported, cdp, authenticatorId };
}

async function openAs(who: Person): Promise<Device> {
  const its = await device();
  await its.page.goto('/app/account');
  await signIn(its.page, who);
  return its;
}

/** Adds a passkey on the page, and closes the recovery codes of the first second factor. */
async function addPasskey(page: Page, { password }: Person, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Passkey name').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(name);
  await dialog.getByLabel('Your password').fill(password);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  expect(await codes.getByRole('listitem').count()).toBe(10);
  await codes.getByRole('button', { name: 'I have saved the codes' }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/app/sign-in');
}

/** Enters e-mail and password, and waits for the second step. */
async function toSecondStep(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Enter the second factor' }).waitFor();
}

describe('a passkey', () => {
  it('is added with a name, is the second step of a sign-in, and signs its user in without a password', async () => {
    const ann = await person(world, 'ann');
    const { page, reported } = await openAs(ann);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByText('Enter your password.').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Passkey name').fill('Laptop');
    await dialog.getByLabel('Your password').fill('a wrong password');
    await page.keyboard.press('Enter');
    await dialog.getByText('The current password is wrong.').waitFor();
    await page.keyboard.press('Escape');
    await addPasskey(page, ann, 'Laptop of Ann');
    await page.getByRole('listitem').filter({ hasText: 'Laptop of Ann' }).waitFor();
    await page.getByText('10 recovery codes are left.').waitFor();
    await expectAccessible(page);

    await signOut(page);
    await toSecondStep(page, ann);
    await page.getByRole('button', { name: 'Use a passkey' }).and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.locator('main#content').waitFor();

    await signOut(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter');
    await page.locator('main#content').waitFor();
    await page.goto('/app/account/sessions');
    await page.getByRole('cell', { name: 'Passkey', exact: true }).waitFor();
    expect(reported).toEqual([]);
  });

  it('is not created twice on one device', async () => {
    const ben = await person(world, 'ben');
    const { page } = await openAs(ben);
    await addPasskey(page, ben, 'Phone');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Passkey name').fill('Phone again');
    await page.keyboard.press('Enter');
    await page.getByText('This device or security key already has a passkey for your account.').waitFor();
  });

  it('confirms an action that needs a fresh second factor, such as its removal', async () => {
    const cleo = await person(world, 'cleo');
    const [first, second] = [await openAs(cleo), await openAs(cleo)];
    await addPasskey(first.page, cleo, 'Key');
    const { credentials } = await first.cdp.send('WebAuthn.getCredentials', { authenticatorId: first.authenticatorId });
    await second.cdp.send('WebAuthn.addCredential', { authenticatorId: second.authenticatorId, credential: credentials[0]! });
    const { page } = second;
    await page.reload();
    await page.getByRole('button', { name: 'Remove the passkey Key' }).click();
    await page.getByRole('dialog', { name: 'Remove the passkey Key?' }).getByRole('button', { name: 'Remove' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm with your second factor' });
    await question.getByRole('button', { name: 'Use a passkey' }).and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByText('Your account has no second factor.').waitFor();
    expect((await cleo.parlance.signIn(cleo.email, cleo.password)).email).toBe(cleo.email);
  });

  it('can be replaced by a recovery code, and the page shows why it was not used', async () => {
    const dan = await person(world, 'dan');
    const { page, cdp, authenticatorId } = await openAs(dan);
    await addPasskey(page, dan, 'Key');
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('No passkey answered.').waitFor();
    await toSecondStep(page, dan);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
  });

  it('is not added when its dialog is closed while the browser asks', async () => {
    const gil = await person(world, 'gil');
    const { page, cdp, authenticatorId } = await openAs(gil);
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Passkey name').fill('Late');
    await page.getByLabel('Your password').fill(gil.password);
    await page.evaluate(KEEP_SIGNAL);
    await page.keyboard.press('Enter');
    await waitFor(() => page.evaluate<boolean>('globalThis.kept?.aborted === false'), { what: 'the question of the browser' });
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await waitFor(() => page.evaluate<boolean>('globalThis.kept.aborted'), { what: 'the end of the question' });
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
    await addPasskey(page, gil, 'Key');
    await page.getByRole('button', { name: 'Remove the passkey Key' }).waitFor();
    expect((await gil.parlance.api.get('/user/me/factors')).factors.map(({ name }) => name)).toEqual(['Key']);
  });

  it('satisfies a group that needs a second factor', async () => {
    const eve = await person(world, 'eve');
    await world.parlance.api.post('/admin/groups', { body: { name: GUARDED } });
    await world.parlance.admin.addToGroup(eve.userId, GUARDED);
    const { page } = await device();
    await page.goto('/app/store');
    await page.getByLabel('E-mail').fill(eve.email);
    await page.getByLabel('Password', { exact: true }).fill(eve.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'A second factor is required' }).waitFor();
    await expectAccessible(page);
    await addPasskey(page, eve, 'Key');
    await page.waitForURL(/\/app\/store$/);
  });

  it('is added beside an authenticator app after a code of it, and the app is removed without it', async () => {
    const fay = await person(world, 'fay');
    const { page } = await openAs(fay);
    const { secret } = await protect(fay.parlance, fay.password);
    await page.reload();
    await page.getByRole('button', { name: 'Remove the app' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add an authenticator app' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Passkey name').fill('Key');
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Confirm with your second factor' });
    await question.getByLabel('Code from the authenticator app').fill(codeOf(secret));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove the passkey Key' }).waitFor();
    await page.getByRole('button', { name: 'Remove the app' }).click();
    await page.getByRole('dialog').getByText('Your other second factors stay.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('button', { name: 'Add an authenticator app' }).waitFor();
    await page.getByRole('button', { name: 'Remove the passkey Key' }).waitFor();
  });
});
