import { beforeAll, describe, expect, it } from '@jest/globals';
import { atEnd, type ConsoleWorld, consoleWorld, expectAccessible, PHONE } from '../console-world.ts';

describe('dates and numbers', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await consoleWorld();
    const { api } = world.parlance;
    const { id } = await api.put('/admin/budgets', { body: { scope: 'all', period: 'MONTH', limit: 1_234.5, mode: 'soft' } });
    atEnd(() => api.delete('/admin/budgets/{budgetId}', { path: { budgetId: id } }));
  });

  it('are shown in the formats of the chosen region, in fields too, even after a reload', async () => {
    const { page, reported } = await world.openSignedIn(PHONE);
    await page.goto('/app/account');
    await page.getByText('Dates and numbers can follow').waitFor();
    await page.getByRole('button', { name: /Dates and numbers/ }).click();
    await page.getByRole('option', { name: /^Austria: 28 Nov 2026, 15:30/ }).click();
    await expectAccessible(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await page.goto('/app/admin/budgets');
    await page.getByText(/of US\$.1\.234,50/).waitFor();
    await page.getByRole('button', { name: /^Change the budget/ }).click();
    const field = page.getByRole('dialog').getByRole('textbox', { name: 'Limit' });
    expect(await field.inputValue()).toMatch(/1\.234,5/);
    await field.fill('2.000,5');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText(/of US\$.2\.000,50/).waitFor();
    const { budgets } = await world.parlance.api.get('/admin/budgets');
    expect([budgets.map(({ limit }) => limit), reported]).toEqual([[2_000.5], []]);
  });

  it('are in the language and the direction of the texts in a browser of another language', async () => {
    const { page } = await world.openSignedIn({ locale: 'ar-EG' });
    await page.goto('/app/admin/budgets');
    await page.getByText(/of \$[12],\d{3}\.50/).waitFor();
    await page.getByRole('button', { name: /^Change the budget/ }).click();
    const field = page.getByRole('dialog').getByRole('textbox', { name: 'Limit' });
    expect(await field.inputValue()).toMatch(/[12],\d{3}\.5/);
  });
});
