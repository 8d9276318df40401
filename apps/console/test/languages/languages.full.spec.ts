import { beforeAll, describe, expect, it } from '@jest/globals';
import { patience } from '@parlance/testing';
import { type ConsoleWorld, consoleWorld, expectAccessible, person, PHONE } from '../console-world.ts';

const langOf = 'document.documentElement.lang';

describe('the language of the console', () => {
  let world: ConsoleWorld;
  beforeAll(async () => void (world = await consoleWorld()));

  it('is the language of the browser before signing in, and then the choice in this browser', async () => {
    const { page, reported } = await world.open({ ...PHONE, locale: 'de-AT' });
    await page.goto('/app/sign-in');
    await page.getByRole('heading', { name: 'Bei Parlance anmelden' }).waitFor();
    expect(await page.evaluate(langOf)).toBe('de');
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('fr');
    await page.getByRole('combobox', { name: 'Langue' }).waitFor();
    await page.reload();
    await page.getByRole('combobox', { name: 'Langue' }).waitFor();
    expect([await page.evaluate(langOf), reported]).toEqual(['fr', []]);
  });

  it('is English in a browser whose languages the console does not have', async () => {
    const { page } = await world.open({ locale: 'nl-NL' });
    await page.goto('/app/sign-in');
    await page.getByRole('heading', { name: 'Sign in to Parlance' }).waitFor();
    expect(await page.evaluate(langOf)).toBe('en');
  });

  it('is chosen in the account, applies to dates and errors, and is used in another browser after signing in', async () => {
    const jo = await person(world, 'jo');
    const { page, reported } = await world.openAs(jo, '/app/account');
    await page.getByRole('button', { name: 'Same as the browser Language', exact: true }).press('Enter');
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByText('Sprache geändert.').first().waitFor();
    expect((await jo.parlance.me()).language).toBe('de');
    expect(await page.title()).toBe('Konto · Parlance');
    const year = new Date().getFullYear();
    await page.getByText(new RegExp(`^\\d{2}\\.\\d{2}\\.${year}$`)).waitFor();
    await expectAccessible(page);
    expect(reported).toEqual([]);

    const { page: other } = await world.openAs(jo, '/app/c/01ARZ3NDEKTSV4RRFFQ69G5FAV');
    await other.getByText('gibt es nicht').first().waitFor();
    expect(await other.evaluate(langOf)).toBe('de');
  });

  it('can be reset to the language of the browser', async () => {
    const ann = await person(world, 'ann');
    await ann.parlance.api.patch('/user/me', { body: { language: 'ja' } });
    const { page } = await world.openAs(ann, '/app/account', { locale: 'en-US' });
    await page.getByRole('button', { name: /^日本語/ }).press('Enter');
    await page.getByRole('option').first().click();
    await page.getByText('Language changed.').first().waitFor();
    expect((await ann.parlance.me()).language).toBeNull();
    expect(await page.evaluate(langOf)).toBe('en');
  });

  it('stays as it is if the server refuses the choice, and the refusal is shown', async () => {
    const kim = await person(world, 'kim');
    const { page } = await world.openAs(kim, '/app/account');
    await page.route('**/user/me', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.fallback()));
    const choice = page.getByRole('button', { name: 'Same as the browser Language', exact: true });
    await choice.press('Enter');
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page
      .getByText('did not answer')
      .first()
      .waitFor({ timeout: patience(60_000) });
    await choice.waitFor();
    expect([(await kim.parlance.me()).language, await page.evaluate(langOf)]).toEqual([null, 'en']);
  });

  it('is English if the file of the language cannot be loaded', async () => {
    const { page } = await world.open({ locale: 'de-DE' });
    await page.route(/\/assets\/translation-/, (route) => route.abort());
    await page.goto('/app/sign-in');
    await page.getByRole('heading', { name: 'Sign in to Parlance' }).waitFor();
  });

  it('is that of the pages of administrators too', async () => {
    await world.admin.parlance.api.patch('/user/me', { body: { language: 'fr' } });
    const { page, reported } = await world.openSignedIn();
    await page.goto('/app/admin/users');
    await page.getByRole('heading', { level: 1, name: 'Utilisateurs' }).waitFor();
    // No page shows its texts in English first.
    expect(await page.getByText('Users', { exact: true }).count()).toBe(0);
    await page.goto('/app/admin/audit');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(reported).toEqual([]);
  });
});
