import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { atEnd, type ConsoleWorld, consoleWorld, expectAccessible } from './console-world.ts';
import { type Seeded, seed } from './seeded.ts';

/** The page of each list, its first CSV column, and a text of a row if the installation has one. */
const LISTS: readonly (readonly [path: string, column: string, row?: string])[] = [
  ['/admin/users', 'user_id', 'user12-{worldId}@example.org'],
  ['/admin/users/{adminId}?conversations=true', 'conversation_id', '{conversationId}'],
  ['/admin/groups', 'name', 'CreatingBotAllowed'],
  ['/admin/invitations', 'invitation_id'],
  ['/admin/service-accounts', 'id', 'Nightly import'],
  ['/admin/service-accounts/{accountId}', 'token_id', 'A token of the import'],
  ['/admin/tokens', 'token_id', 'A token of the import'],
  ['/admin/calls', 'call_id', 'local-extractive'],
  ['/admin/bots', 'id', '{title}'],
  ['/admin/apis', 'id'],
  ['/admin/audit', 'id', 'create_webhook'],
  ['/admin/models', 'id', 'local-extractive'],
  ['/admin/budgets', 'id', 'MONTH'],
  ['/admin/retention', 'id', '365'],
  ['/admin/holds', 'id', 'A case is open.'],
  ['/admin/exports?kind=day', 'hour'],
  ['/admin/webhooks', 'id', 'http://127.0.0.1:1/events'],
  ['/admin/webhooks/{webhookId}?status=pending', 'delivery_id', 'parlance.bots.bot-created.v1'],
  ['/admin/identity', 'token_id', 'Directory'],
];

describe('a list of the administration', () => {
  let world: ConsoleWorld;
  let ids: Seeded & { readonly accountId: string; readonly adminId: string; readonly worldId: string };
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await consoleWorld();
    const { api } = world.parlance;
    const seeded = await seed(world);
    const account = await api.post('/admin/service-accounts', { body: { name: 'Nightly import', group: 'CreatingBotAllowed' } });
    const token = { description: 'A token of the import', scopes: ['chat' as const] };
    atEnd(() => api.delete('/admin/service-accounts/{id}', { path: { id: account.id } }));
    await api.post('/admin/service-accounts/{id}/tokens', { path: { id: account.id }, body: token });
    const budget = await api.put('/admin/budgets', { body: { scope: 'all', period: 'MONTH', limit: 50, mode: 'soft' } });
    atEnd(() => api.delete('/admin/budgets/{budgetId}', { path: { budgetId: budget.id } }));
    const rule = await api.post('/admin/retention', { body: { inactive_days: 365, applies_to: 'all', enabled: false } });
    atEnd(() => api.delete('/admin/retention/{ruleId}', { path: { ruleId: rule.id } }));
    const hold = await api.post('/admin/holds', { body: { user_id: seeded.userId, reason: 'A case is open.' } });
    atEnd(() => api.delete('/admin/holds/{holdId}', { path: { holdId: hold.id } }));
    await api.post('/admin/scim-tokens', { body: { description: 'Directory' } });
    ids = { ...seeded, accountId: account.id, adminId: world.parlance.session.userId!, worldId: world.id };
    ({ page, reported } = await world.openSignedIn());
  });

  /** The text of the file that the button saves. */
  const saved = async (button: Locator): Promise<string> => {
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toMatch(/^[a-z-]+\.csv$/);
    return readFile(await download.path(), 'utf8');
  };

  it.each(LISTS)('at %s is saved as CSV', async (path, column, row = '') => {
    const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof ids) => ids[name]);
    await page.goto(`/app${filled(path)}`);
    const text = await saved(page.getByRole('button', { name: 'Download CSV' }).first());
    expect(text.split(',', 1)[0]).toBe(column);
    expect(text).toContain(filled(row));
    expect(reported).toEqual([]);
  });

  it('of restatements is saved as CSV', async () => {
    const { id } = await world.parlance.api.post('/admin/costs/restate', { body: { from: '2026-01-01T00:00:00Z', dry_run: true } });
    await page.goto('/app/admin/models');
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Restatements' }) });
    expect(await saved(section.getByRole('button', { name: 'Download CSV' }))).toContain(`\r\n${id},`);
    expect(reported).toEqual([]);
  });

  it('of dead letters is saved as CSV', async () => {
    await page.route(`${world.product.url}/admin/health`, async (route) => {
      const answer = await route.fetch();
      const health = await answer.json();
      await route.fulfill({ json: { ...health, services: health.services.map((its: object) => ({ ...its, dead_letters: 1 })) } });
    });
    await page.goto('/app/admin/health');
    await page.getByRole('button', { name: 'Show the dead letters of analytics: 1' }).click();
    expect(await saved(page.getByRole('dialog').getByRole('button', { name: 'Download CSV' }))).toMatch(/^id,event_id,/);
    await page.unroute(`${world.product.url}/admin/health`);
    expect(reported).toEqual([]);
  });

  it('of the prompts in a conversation is saved as CSV', async () => {
    await page.goto(`/app/admin/users/${ids.adminId}?conversations=true`);
    await page
      .getByRole('button', { name: /^Show the prompts of/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Who books travel?').waitFor();
    const text = await saved(dialog.getByRole('button', { name: 'Download CSV' }));
    expect(text).toMatch(/^message_id,create_time,content\r\n/);
    expect(text).toContain(',Who books travel?\r\n');
    await expectAccessible(page);
    expect(reported).toEqual([]);
  });
});
