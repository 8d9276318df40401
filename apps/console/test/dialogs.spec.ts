import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { consoleWorld, expectAccessible, PHONE } from './console-world.ts';

describe('an error in a dialog with a form', () => {
  let page: Page;
  let dialog: Locator;
  beforeAll(async () => {
    ({ page } = await (await consoleWorld()).openSignedIn());
    await page.goto('/app/admin/groups');
    await page.getByRole('button', { name: 'Create a group' }).first().click();
    dialog = page.getByRole('dialog');
  });

  /** Sends the form. The server refuses it with these errors. */
  const refused = async (status: number, ...errors: { readonly path: string; readonly message: string }[]) => {
    const body = { status, code: 'some_code', detail: 'The request is refused.', errors };
    await page.route('**/admin/groups', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(body) })
        : route.fallback(),
    );
    await dialog.getByRole('textbox', { name: 'Name' }).fill(`Group ${status} ${errors.length}`);
    await page.keyboard.press('Enter');
  };
  const above = () => dialog.getByRole('alert').filter({ hasText: 'The request is refused.' });

  it('is at its field', async () => {
    await refused(400, { path: 'name', message: 'is a strange name' });
    await dialog.getByText('is a strange name').waitFor();
    expect(await above().count()).toBe(0);
    await expectAccessible(page);
  });

  it('is above the fields if it belongs to none', async () => {
    await refused(409);
    await above().waitFor();
    await expectAccessible(page);
  });

  it('is above the fields if no field shows it', async () => {
    await refused(400, { path: 'name', message: 'is a strange name' }, { path: 'colour', message: 'is unknown' });
    await dialog.getByText('is a strange name').waitFor();
    await above().waitFor();
  });
});

describe('the menu of models', () => {
  it('finds a model by its name, and says what it costs and why others cannot be used', async () => {
    const { page, reported } = await (await consoleWorld()).openSignedIn(PHONE);
    const button = page.getByRole('main').getByRole('button', { name: /^Model: / });
    const chosen = (await button.innerText()).replace(/^Model:\s*/, '');
    await button.press('Enter');
    const menu = page.getByRole('dialog', { name: 'Model' });
    await menu.getByRole('option', { name: chosen, selected: true }).getByText('Free').waitFor();
    await menu.getByRole('option', { disabled: true }).getByText('Its provider is not connected').first().waitFor();
    await expectAccessible(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await page.keyboard.type('no such model');
    await menu.getByText('No model matches.').waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(chosen.slice(0, 8));
    await menu.getByRole('option', { name: chosen }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await menu.waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
    expect(reported).toEqual([]);
  });
});
