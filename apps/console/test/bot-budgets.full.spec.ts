import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ConsoleWorld, consoleWorld, expectAccessible, person, PHONE } from './console-world.ts';

describe('the budget of a bot in its editor', () => {
  let world: ConsoleWorld;
  let botId: string;
  beforeAll(async () => {
    world = await consoleWorld();
    ({ id: botId } = await world.parlance.bots.create({ title: 'Handbook' }));
  });

  const budgets = async () => (await world.parlance.api.get('/admin/budgets')).budgets;

  it('is set, changed and deleted by an administrator, without a change to the text in the editor', async () => {
    const { page, reported } = await world.openSignedIn(PHONE);
    await page.goto(`/app/bots/${botId}/edit`);
    await page.getByRole('textbox', { name: 'Title' }).fill('Not saved yet');
    await page.getByText('This bot has no budget of its own.').waitFor();
    await page.getByRole('button', { name: 'New budget' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Limit' }).fill('12.5');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Monthly budget').waitFor();
    await page.getByText('$0.00 of $12.50').waitFor();
    expect(await budgets()).toMatchObject([{ scope: 'bot', scope_id: botId, period: 'MONTH', limit: 12.5, mode: 'hard' }]);
    await expectAccessible(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);

    await page.getByRole('button', { name: 'Change: Monthly budget' }).click();
    await dialog.getByRole('textbox', { name: 'Limit' }).fill('20');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('$0.00 of $20.00').waitFor();
    expect((await budgets()).map(({ limit }) => limit)).toEqual([20]);

    // A new budget would replace one with the same period, so that period is not offered.
    await page.getByRole('button', { name: 'New budget' }).click();
    await dialog.getByRole('textbox', { name: 'Limit' }).fill('3');
    await dialog.getByRole('button', { name: 'Period' }).click();
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['Day', 'Week']);
    await page.getByRole('option', { name: 'Day' }).click();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('$0.00 of $3.00').waitFor();
    expect((await budgets()).map(({ limit }) => limit).sort()).toEqual([20, 3]);
    await page.getByRole('button', { name: 'Delete: Daily budget' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Daily budget').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Delete: Monthly budget' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('This bot has no budget of its own.').waitFor();
    expect(await budgets()).toEqual([]);
    // The dialogs have not saved the form around them.
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Not saved yet');
    expect((await world.parlance.bots.getPrivate(botId)).title).toBe('Handbook');
    expect(reported).toEqual([]);
  });

  it('is not replaced by a new one if another administrator has created it meanwhile', async () => {
    const { page, reported } = await world.openSignedIn();
    await page.goto(`/app/bots/${botId}/edit`);
    await page.getByRole('button', { name: 'New budget' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Period' }).waitFor();
    const body = { scope: 'bot' as const, scope_id: botId, period: 'MONTH' as const, limit: 7, mode: 'hard' as const };
    const { id, etag } = await world.parlance.api.put('/admin/budgets', { body });
    await dialog.getByRole('textbox', { name: 'Limit' }).fill('900');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Someone else has created a budget for this period.').waitFor();
    expect((await budgets()).map(({ limit }) => limit)).toEqual([7]);
    await expectAccessible(page);
    // The period is now taken. No other period is preselected.
    await dialog.getByText('Choose a period.').waitFor();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    expect((await budgets()).map(({ limit }) => limit)).toEqual([7]);
    await dialog.getByRole('button', { name: 'Period' }).click();
    await page.getByRole('option', { name: 'Week' }).click();
    await dialog.getByText('Choose a period.').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Week Period' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('$0.00 of $7.00').waitFor();

    // The list shows what another administrator has changed while a dialog was open.
    await page.getByRole('button', { name: 'Change: Monthly budget' }).click();
    await world.parlance.api.put('/admin/budgets', { body: { ...body, limit: 8 }, ifMatch: etag });
    await dialog.getByRole('textbox', { name: 'Limit' }).fill('900');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('This budget has changed since you opened the dialog.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('$0.00 of $8.00').waitFor();
    await world.parlance.api.delete('/admin/budgets/{budgetId}', { path: { budgetId: id } });
    expect(reported).toEqual([]);
  });

  it('is only for administrators: an owner reads whom to ask', async () => {
    const owner = await person(world, 'olga');
    const { page, reported } = await world.openAs(owner);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto('/app/bots/new');
    await page.getByRole('textbox', { name: 'Title' }).fill('Own bot');
    await page.getByRole('button', { name: 'Create the bot' }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByText('Only administrators can see and set the budgets of a bot.').waitFor();
    expect(requests.filter((path) => path.startsWith('/admin/'))).toEqual([]);
    expect(reported).toEqual([]);
  });
});
