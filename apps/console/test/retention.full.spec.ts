import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, consoleWorld, expectAccessible } from './console-world.ts';

describe('retention rules', () => {
  let world: ConsoleWorld;
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    // Rules and their numbers are about the conversations of all users.
    world = await consoleWorld({}, { isOwn: true });
    ({ page, reported } = await world.openSignedIn());
    await page.goto('/app/admin/retention');
  });

  const rules = async () => (await world.parlance.api.get('/admin/retention')).rules;
  const enabling = () => page.getByRole('dialog', { name: 'Enable the rule?' });

  it('mark the missing fields', async () => {
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New retention rule' });
    await choose(page, 'Applies to', 'Conversations of a group');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Choose a group.', { exact: true }).waitFor();
    await dialog.getByText('Enter a number of days from 1 to 3,650.').waitFor();
    await expectAccessible(page);
    expect(await rules()).toEqual([]);
  });

  it('need an existing group', async () => {
    const dialog = page.getByRole('dialog', { name: 'New retention rule' });
    await dialog.getByRole('combobox', { name: 'Group' }).fill('No such group');
    await page.keyboard.press('Tab');
    await dialog.getByLabel('Days after the last message').fill('365');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText(/group/).waitFor();
    expect(await rules()).toEqual([]);
  });

  it('are created, and enabled when the number of conversations is known', async () => {
    const dialog = page.getByRole('dialog', { name: 'New retention rule' });
    await chooseGroup(page, 'CreatingBotAllowed');
    await dialog.getByLabel('Days after the last message').fill('365');
    await page.keyboard.press('Enter');
    await enabling().getByText('No conversation is old enough now.').waitFor();
    expect(await rules()).toMatchObject([{ group: 'CreatingBotAllowed', inactive_days: 365, enabled: false }]);
    await enabling().getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByText('Rule enabled.').waitFor();
    await page.getByRole('button', { name: 'Disable the rule: CreatingBotAllowed, after 365 days' }).waitFor();
    expect(await rules()).toMatchObject([{ enabled: true }]);
  });

  it('that are changed stay disabled until the new number is confirmed', async () => {
    await page.route('**/preview', (route) =>
      route.fulfill({ json: { rule_id: 'a', conversations: 1_412, exports: 0, uploads: 0, is_complete: true } }),
    );
    await page.getByRole('button', { name: 'Change the rule: CreatingBotAllowed, after 365 days' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the rule' });
    await choose(page, 'Applies to', 'All conversations');
    await dialog.getByLabel('Days after the last message').fill('30');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await enabling().getByText('The rule deletes 1,412 conversations within minutes').waitFor();
    await enabling().getByRole('button', { name: 'Enable and delete 1,412 conversations' }).waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    await page.keyboard.press('Escape');
    await enabling().waitFor({ state: 'detached' });
    expect(await rules()).toMatchObject([{ applies_to: 'all', inactive_days: 30, enabled: false }]);
  });

  it('that another administrator has changed since the count are not enabled', async () => {
    await page.getByRole('button', { name: 'Enable the rule: All conversations, after 30 days' }).click();
    await enabling().getByRole('button', { name: 'Enable and delete 1,412 conversations' }).waitFor();
    const [rule] = await rules();
    const path = { ruleId: rule!.id };
    await world.parlance.api.patch('/admin/retention/{ruleId}', { path, body: { inactive_days: 3 } });
    await enabling().getByRole('button', { name: 'Enable and delete 1,412 conversations' }).click();
    await enabling().getByText('This rule has changed since you opened the dialog.').waitFor();
    expect(await rules()).toMatchObject([{ inactive_days: 3, enabled: false }]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Enable the rule: All conversations, after 3 days' }).waitFor();
    await world.parlance.api.patch('/admin/retention/{ruleId}', { path, body: { inactive_days: 30 } });
    await page.reload();
  });

  it('show that there may be more when not all were counted', async () => {
    await page.unroute('**/preview');
    await page.route('**/preview', (route) =>
      route.fulfill({ json: { rule_id: 'a', conversations: 10_000, exports: 0, uploads: 0, is_complete: false } }),
    );
    await page.getByRole('button', { name: 'Enable the rule: All conversations, after 30 days' }).click();
    await enabling().getByRole('button', { name: 'Enable and delete 10,000 or more conversations' }).click();
    await page.getByRole('button', { name: 'Disable the rule: All conversations, after 30 days' }).waitFor();
    await page.unroute('**/preview');
    expect(await rules()).toMatchObject([{ enabled: true }]);
  });

  it('are disabled at once, and cannot be enabled while they were not counted', async () => {
    await page.getByRole('button', { name: 'Disable the rule: All conversations, after 30 days' }).click();
    await page.getByText('Rule disabled. It no longer deletes anything.').waitFor();
    expect(await rules()).toMatchObject([{ enabled: false }]);
    const [rule] = await rules();
    await world.parlance.api.delete('/admin/retention/{ruleId}', { path: { ruleId: rule!.id } });
    await page.getByRole('button', { name: 'Enable the rule: All conversations, after 30 days' }).click();
    await enabling().getByRole('alert').waitFor();
    expect(await enabling().getByRole('button', { name: 'Enable', exact: true }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('for exports count files, and apply to all exports', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New retention rule' });
    await choose(page, 'What it deletes', 'Exports of conversations');
    await dialog.getByLabel('Applies to').waitFor({ state: 'detached' });
    await dialog.getByLabel('Days after the day of the export').fill('90');
    await expectAccessible(page);
    await page.route('**/preview', (route) =>
      route.fulfill({ json: { rule_id: 'a', conversations: 0, exports: 1_412, uploads: 0, is_complete: true } }),
    );
    await dialog.getByRole('button', { name: 'Create' }).click();
    await enabling().getByRole('button', { name: 'Enable and remove 1,412 files' }).click();
    await page.getByRole('button', { name: 'Disable the rule: All exports, after 90 days' }).waitFor();
    await page.unroute('**/preview');
    const [rule] = await rules();
    expect(rule).toMatchObject({ kind: 'exports', applies_to: 'all', inactive_days: 90, enabled: true });
    await world.parlance.api.delete('/admin/retention/{ruleId}', { path: { ruleId: rule!.id } });
  });

  it('for files in conversations count files, and apply to a group', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New retention rule' });
    await choose(page, 'What it deletes', 'Files in conversations');
    await choose(page, 'Applies to', 'Conversations of a group');
    await chooseGroup(page, 'CreatingBotAllowed');
    await dialog.getByLabel('Days after the message').fill('90');
    await expectAccessible(page);
    await page.route('**/preview', (route) =>
      route.fulfill({ json: { rule_id: 'a', conversations: 0, exports: 0, uploads: 10_000, is_complete: false } }),
    );
    await dialog.getByRole('button', { name: 'Create' }).click();
    await enabling().getByText('Their messages remain, and show that the files were removed.').waitFor();
    await enabling().getByRole('button', { name: 'Enable and remove 10,000 or more files' }).click();
    await page.getByRole('button', { name: 'Disable the rule: Files: CreatingBotAllowed, after 90 days' }).waitFor();
    await page.unroute('**/preview');
    const [rule] = await rules();
    expect(rule).toMatchObject({ kind: 'uploads', group: 'CreatingBotAllowed', inactive_days: 90, enabled: true });
    await world.parlance.api.delete('/admin/retention/{ruleId}', { path: { ruleId: rule!.id } });
  });

  it('show in a message that its files were removed', async () => {
    const body = Buffer.from('Bring a coat.').toString('base64');
    const content = [
      { content_type: 'attachment' as const, file_name: 'note.txt', body },
      { content_type: 'text' as const, body: 'What is in the note?' },
    ];
    const { conversation_id: id } = await world.parlance.conversations.ask({ message: { content } });
    await page.route(`**/conversation/${id}?*`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('"sha256"', '"status":"removed","sha256"') });
    });
    await page.goto(`/app/c/${id}`);
    await page.getByText('Removed by a retention rule').waitFor();
    await page.getByText('note.txt').waitFor();
    expect(await page.getByRole('button', { name: 'Download note.txt' }).count()).toBe(0);
    await expectAccessible(page);

    await page.route(`**/admin/users/*/conversations/${id}/prompts?*`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('"sha256"', '"status":"removed","sha256"') });
    });
    await page.goto(`/app/admin/users/${world.parlance.session.userId}?conversations=true`);
    await page
      .getByRole('button', { name: /^Show the prompts of/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText('note.txt · Removed by a retention rule').waitFor();
    await page.goto('/app/admin/retention');
  });

  it('show that an image was removed since its message was read', async () => {
    const content = [
      { content_type: 'attachment' as const, file_name: 'note.txt', body: 'TWFw' },
      { content_type: 'text' as const, body: 'What is on it?' },
    ];
    const { conversation_id: id } = await world.parlance.conversations.ask({ message: { content } });
    await page.route(`**/conversation/${id}?*`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('"attachment"', '"image"') });
    });
    await page.route(`**/conversation/${id}/*/files/*`, (route) =>
      route.fulfill({ status: 404, json: { code: 'file_removed', detail: 'A retention rule of an administrator has removed this file.' } }),
    );
    await page.goto(`/app/c/${id}`);
    await page.getByText('Removed by a retention rule').waitFor();
    await page.goto('/app/admin/retention');
  });

  it('for a bot say what to choose, and are removed', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New retention rule' });
    await choose(page, 'Applies to', 'Conversations with a bot');
    await dialog.getByLabel('Days after the last message').fill('7');
    await dialog.getByRole('combobox', { name: 'Bot' }).fill('no such bot');
    // Closes the list of the field.
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Choose a bot from the list, or enter its ID.').waitFor();
    const { id } = await world.parlance.bots.create({ title: 'Private' });
    await dialog.getByRole('combobox', { name: 'Bot' }).fill(id);
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await enabling().getByText('No conversation is old enough now.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Remove the rule: / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Rule removed.').waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'content');
    await page.getByText('There are no rules').waitFor();
    expect(await rules()).toEqual([]);
    expect(reported).toEqual([]);
  });
});

async function chooseGroup(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: 'Group' }).fill(name.slice(0, 8));
  await page.getByRole('option', { name, exact: true }).click();
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}
