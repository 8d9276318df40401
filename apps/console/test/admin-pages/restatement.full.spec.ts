import { expect, it } from '@jest/globals';
import { consoleWorld, expectAccessible } from '../console-world.ts';

const world = await consoleWorld();

it('costs are restated only after the difference was shown', async () => {
  const { page, reported } = await world.openSignedIn();
  await page.goto('/app/admin/models');
  await page.getByRole('button', { name: 'Restate costs' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restate costs' });
  await dialog.getByLabel('Usage since').fill('2026-01-01T00:00');
  await dialog.getByRole('button', { name: 'Show the difference' }).click();
  await dialog.getByText('Nothing has changed yet.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Change the selection' }).click();
  expect(await dialog.getByLabel('Usage since').inputValue()).toBe('2026-01-01T00:00');
  await dialog.getByRole('button', { name: 'Show the difference' }).click();
  await dialog.getByText('Nothing has changed yet.').waitFor();
  await dialog.getByRole('button', { name: 'Correct the costs' }).click();
  await page.getByText('The restatement is running. Its result will appear in the list.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect(reported).toEqual([]);
});
