import { beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, protect, protectedPerson } from './authenticator.ts';
import { type ConsoleWorld, consoleWorld, expectAccessible } from './console-world.ts';

let world: ConsoleWorld;
beforeAll(async () => void (world = await consoleWorld()));

describe('an action that needs a fresh second factor', () => {
  it('asks an Admin for a code, once in ten minutes, and then takes place', async () => {
    const [gus, hal] = [await protectedPerson(world, 'gus'), await protectedPerson(world, 'hal')];
    const { page, reported } = await world.openSignedIn();
    // The session of the page has not proved it.
    const { secret } = await protect(world.parlance, world.admin.password);
    await page.goto(`/app/admin/users/${gus.userId}`);
    const factors = page.getByRole('list', { name: 'Second factors' });
    await factors.getByText(/^Authenticator app added on .*, not used yet$/).waitFor();
    await factors.getByText('10 recovery codes are left.').waitFor();
    const reset = async () => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Reset second factors' }).click();
    };
    await reset();
    const confirm = page.getByRole('dialog', { name: 'Reset the second factors?' });
    await confirm.getByRole('button', { name: 'Reset second factors' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm with your second factor' });
    await question.getByLabel('Code from the authenticator app').and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await confirm.getByText('Nothing was changed').waitFor();
    await confirm.getByRole('button', { name: 'Reset second factors' }).click();
    await question.getByLabel('Code from the authenticator app').fill(codeOf(secret));
    await page.keyboard.press('Enter');
    await page.getByText('Second factors removed.').waitFor();
    await factors.getByText('The user has no second factor.').waitFor();
    expect((await gus.parlance.signIn(gus.email, gus.password)).email).toBe(gus.email);

    await page.goto(`/app/admin/users/${hal.userId}`);
    await reset();
    await confirm.getByRole('button', { name: 'Reset second factors' }).click();
    await page.getByText('Second factors removed.').waitFor();
    expect((await hal.parlance.signIn(hal.email, hal.password)).email).toBe(hal.email);
    expect(reported).toEqual([]);
  });
});
