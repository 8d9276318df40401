import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ChatWorld, chatWorld } from '../chat-world.ts';
import { expectAccessible, type Person, person } from '../console-world.ts';

describe('suspicious charges', () => {
  let world: ChatWorld;
  let page: Page;
  let reported: readonly string[];
  let payer: Person;
  beforeAll(async () => {
    world = await chatWorld();
    payer = await person(world, 'lin');
    world.provider.finish('Hello.');
    world.provider.reportInput(1_000_000);
    await payer.parlance.conversations.ask({ message: { content: [{ content_type: 'text', body: 'Hello?' }] } });
    world.provider.reset();
    ({ page, reported } = await world.openSignedIn());
    await page.goto('/app/admin/costs');
  });

  const charge = () => page.getByRole('region', { name: 'Suspicious charges' }).getByRole('row', { name: new RegExp(payer.email) });

  it('are listed below the costs, as they were billed', async () => {
    await charge().getByText('$3.00').waitFor();
    await charge().getByText('1,000,000').waitFor();
    await charge().getByText('Not checked').waitFor();
    await expectAccessible(page);
  });

  it('are corrected to the amount of the bill', async () => {
    await charge().getByRole('button', { name: 'Correct the charge of' }).click();
    const dialog = page.getByRole('dialog', { name: 'Correct the charge' });
    await dialog.getByRole('textbox', { name: 'Cost' }).fill('');
    await dialog.getByRole('button', { name: 'Save the cost' }).click();
    await dialog.getByText('Enter an amount of zero or more.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('textbox', { name: 'Cost' }).fill('0.25');
    await dialog.getByRole('button', { name: 'Save the cost' }).click();
    await charge().getByText('$0.25').waitFor();
    const { charges } = await world.parlance.api.get('/admin/costs/suspicious-charges');
    expect(charges.find(({ user_id }) => user_id === payer.userId)).toMatchObject({ as_corrected: 0.25 });
  });

  it('are shown without an error of the browser', () => expect(reported).toEqual([]));
});
