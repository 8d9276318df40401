import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, consoleWorld } from './console-world.ts';
import { type Seeded, seed } from './seeded.ts';

/** The page of each list, its first column in CSV, and a text of a row where the installation has one. */
const LISTS: readonly (readonly [path: string, column: string, row?: string])[] = [
  ['/admin/users', 'user_id', 'user12@example.org'],
  ['/admin/users/{adminId}?conversations=true', 'conversation_id', '{conversationId}'],
  ['/admin/groups', 'name', 'CreatingBotAllowed'],
  ['/admin/invitations', 'invitation_id'],
  ['/admin/service-accounts', 'id', 'Nightly import'],
  ['/admin/service-accounts/{accountId}', 'token_id', 'A token of the import'],
  ['/admin/tokens', 'token_id', 'A token of the import'],
  ['/admin/bots', 'id', 'Handbook'],
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
  let ids: Seeded & { readonly accountId: string; readonly adminId: string };
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await consoleWorld({ PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' });
    const { api } = world.parlance;
    const seeded = await seed(world.parlance);
    const account = await api.post('/admin/service-accounts', { body: { name: 'Nightly import', group: 'CreatingBotAllowed' } });
    const token = { description: 'A token of the import', scopes: ['chat' as const] };
    await api.post('/admin/service-accounts/{id}/tokens', { path: { id: account.id }, body: token });
    await api.put('/admin/budgets', { body: { scope: 'all', period: 'MONTH', limit: 50, mode: 'soft' } });
    await api.post('/admin/retention', { body: { inactive_days: 365, applies_to: 'all', enabled: false } });
    await api.post('/admin/holds', { body: { user_id: seeded.userId, reason: 'A case is open.' } });
    await api.post('/admin/scim-tokens', { body: { description: 'Directory' } });
    ids = { ...seeded, accountId: account.id, adminId: world.parlance.session.userId! };
    ({ page, reported } = await world.openSignedIn());
  });
  afterAll(() => world.stop());

  it.each(LISTS)('at %s is saved as CSV', async (path, column, row = '') => {
    const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof ids) => ids[name]);
    await page.goto(`/app${filled(path)}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).first().click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^[a-z-]+\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.split(',', 1)[0]).toBe(column);
    expect(text).toContain(filled(row));
    expect(reported).toEqual([]);
  });
});
