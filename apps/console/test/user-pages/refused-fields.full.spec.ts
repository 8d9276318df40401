import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, consoleWorld, expectAccessible } from '../console-world.ts';

describe('a form with a field that the server has refused', () => {
  let world: ConsoleWorld;
  let page: Page;
  beforeAll(async () => {
    world = await consoleWorld();
    ({ page } = await world.openSignedIn());
  });

  it('creates a bot once its title is corrected', async () => {
    await page.goto('/app/bots/new');
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('   ');
    await page.getByRole('button', { name: 'Create the bot' }).click();
    await page.getByText('Enter more than spaces.', { exact: true }).waitFor();
    expect(await title.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByText('The field title').count()).toBe(0);
    await expectAccessible(page);
    await title.fill('Corrected');
    await page.getByRole('button', { name: 'Create the bot' }).click();
    await page.getByRole('heading', { level: 1, name: 'Corrected' }).waitFor();
  });

  it('shows the error of a stage once', async () => {
    const { id } = await world.parlance.bots.create({ title: 'Staged' });
    await world.parlance.bots.share(id, { target_shared_scope: 'all' });
    await page.goto(`/app/bots/${id}/publish`);
    await page.getByLabel('Allowed origins').fill('*');
    await page.getByLabel('Stage').fill('not a stage');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByLabel('Stage').and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await page.getByText('must have 1 to 30 letters').count()).toBe(1);
  });

  it('saves the addresses of a bot once they are corrected', async () => {
    const { id } = await world.parlance.bots.create({ title: 'Reader' });
    await page.goto(`/app/bots/${id}/knowledge`);
    const pages = page.getByRole('textbox', { name: 'Web pages' });
    await pages.fill('not an address');
    const save = page.getByRole('button', { name: 'Save addresses' });
    await save.click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await page.getByText('The field knowledge').count()).toBe(0);
    await pages.fill('https://example.org/');
    await save.click();
    await page.getByText('Addresses saved.').waitFor();
  });
});
