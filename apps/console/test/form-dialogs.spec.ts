import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { consoleWorld, expectAccessible } from './console-world.ts';

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
