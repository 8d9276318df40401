import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page, Route } from 'playwright-core';
import { atEnd, type ConsoleWorld, consoleWorld, expectAccessible } from './console-world.ts';
import { type Seeded, seed } from './seeded.ts';

/** The number of rows on a page of the audit log. */
const AUDIT_ROWS = 50;

describe("an administrator's day", () => {
  let world: ConsoleWorld;
  let seeded: Seeded;
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await consoleWorld();
    seeded = await seed(world);
    ({ page, reported } = await world.openSignedIn());
  });

  it('finds a user, and keeps the filter in the address', async () => {
    await page.goto('/app/admin/users');
    await page.getByRole('searchbox').fill(`user12-${world.id}@`);
    await page.getByRole('link', { name: /First12/ }).waitFor();
    await page.waitForURL(/user12/);
    await page.reload();
    await page.getByRole('link', { name: /First12/ }).waitFor();
    expect(await page.getByRole('link', { name: /First1 / }).count()).toBe(0);
  });

  it('pins a bot, which both lists show with its icon', async () => {
    await page.goto('/app/admin/bots');
    const icon = page.getByRole('row').filter({ hasText: seeded.title }).locator('[style*="--bot-blue"]');
    await icon.locator('svg').waitFor();
    await page.getByRole('button', { name: `Pin ${seeded.title}`, exact: true }).click();
    await page.getByText(`${seeded.title} is pinned.`).waitFor();
    await waitFor(async () => (await icon.count()) === 2);
    const path = { botId: seeded.botId };
    atEnd(() => world.parlance.api.patch('/admin/bot/{botId}/pushed', { path, body: { to_pinned: false } }));
    const { status } = await world.parlance.api.get('/admin/bot/public/{botId}', { path });
    expect(status).toMatch(/^pinned@\d{3}$/);
  });

  it('sets a budget, and sees its spending', async () => {
    await page.goto('/app/admin/budgets');
    await page.getByRole('button', { name: 'New budget' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New budget' });
    await dialog.getByRole('textbox', { name: 'Limit' }).fill('50');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Budget saved.').waitFor();
    await page
      .getByText(/of \$50\.00/)
      .first()
      .waitFor();
  });

  it('deletes the budget, and continues by keyboard in the page', async () => {
    await page.getByRole('button', { name: 'Delete the budget of Everything' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Budget deleted.').waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'content');
  });

  it('redelivers dead letters of a service: one, then all', async () => {
    const letterOf = (id: string) => {
      const happened = '2026-11-21T12:00:00.000Z';
      const event = { event_id: id, event_type: `parlance.bots.${id}.v1`, event_time: happened, subject: 'bot-1' };
      return { id, ...event, topic: 'parlance.bots', partition: 0, failed_at: happened };
    };
    let letters = ['first', 'second', 'third'].map(letterOf);
    const sent: unknown[] = [];
    // No event fails in a test's product, so the dead letters are made up.
    await page.route(`${world.product.url}/admin/health`, async (route) => {
      const answer = await route.fetch();
      const health = (await answer.json()) as { services: { name: string }[] };
      const services = health.services.map((its) => (its.name === 'analytics' ? { ...its, dead_letters: letters.length } : its));
      await route.fulfill({ response: answer, json: { ...health, services } });
    });
    await page.route('**/admin/health/dead-letters?*', (route) =>
      route.fulfill({ json: { service: 'analytics', total: letters.length, dead_letters: letters, next_token: null } }),
    );
    await page.route('**/admin/health/dead-letters/redrive', (route) => {
      const body = route.request().postDataJSON() as { ids?: string[] };
      sent.push(body);
      const before = letters.length;
      letters = letters.filter(({ id }) => body.ids?.includes(id) === false);
      return route.fulfill({ status: 202, json: { service: 'analytics', redriven: before - letters.length } });
    });
    await page.goto('/app/admin/health');
    await page.getByRole('button', { name: 'Show the dead letters of analytics: 3' }).click();
    const list = page.getByRole('dialog', { name: 'Dead letters of analytics' });
    const sure = page.getByRole('dialog', { name: 'Deliver dead letters again?' });
    await list.getByRole('button', { name: 'Deliver again: parlance.bots.second.v1' }).click();
    await sure.getByText('1 event is delivered to analytics again.').waitFor();
    await sure.getByRole('button', { name: 'Deliver again' }).click();
    await page.getByText('1 event is being delivered again.').waitFor();
    await list.getByText('parlance.bots.second.v1').waitFor({ state: 'detached' });
    await list.getByRole('button', { name: 'Deliver all again' }).click();
    await sure.getByText('2 events are delivered to analytics again.').waitFor();
    await expectAccessible(page);
    await sure.getByRole('button', { name: 'Deliver again' }).click();
    await list.getByText('There are no dead letters').waitFor();
    expect(sent).toEqual([{ service: 'analytics', ids: ['second'] }, { service: 'analytics' }]);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('sends a form once, even if Enter is pressed again before the answer', async () => {
    const research = `Research ${world.id}`;
    const held: Route[] = [];
    await page.route('**/admin/groups', (route) => (route.request().method() === 'POST' ? void held.push(route) : route.continue()));
    await page.goto('/app/admin/groups');
    await page.getByRole('button', { name: 'Create a group' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(research);
    await page.keyboard.press('Enter');
    await waitFor(() => held.length === 1);
    await page.getByRole('dialog').getByRole('button', { name: 'Create a group', disabled: true }).waitFor();
    await page.keyboard.press('Enter');
    await held[0]!.continue();
    await page.getByRole('link', { name: research }).waitFor();
    expect(held).toHaveLength(1);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('queries the exports by SQL', async () => {
    await page.goto('/app/admin/exports');
    await page.getByRole('textbox', { name: 'SQL statement' }).click();
    await page.keyboard.press('ControlOrMeta+A');
    // Whether there are exports depends on when in the hour the product started.
    await page.keyboard.type('SELECT SK FROM parlance_conversations WHERE 1 = 2');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('The query returned no rows').waitFor();
  });

  it('finds the actions on a bot by its title, and shows the names of the actors', async () => {
    await page.goto('/app/admin/audit');
    await page.getByRole('button', { name: /Kind of resource/ }).click();
    await page.getByRole('option', { name: 'Bot', exact: true }).click();
    await page.getByRole('combobox', { name: 'Bot' }).fill(seeded.title);
    await page.getByRole('option', { name: seeded.title }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(new RegExp(`resource_id=${seeded.botId}`));
    const created = page.getByRole('row', { name: /Created a bot/ });
    await created.getByRole('link', { name: seeded.title }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Bot' }).inputValue()).toBe(seeded.title);
    await created.getByRole('button', { name: /Created a bot/ }).click();
    await page.getByRole('dialog', { name: 'You created a bot' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('shows at the field that a window of the audit log ends before it begins', async () => {
    await page.goto('/app/admin/audit');
    await page.getByLabel('From', { exact: true }).fill('2026-11-20T12:00');
    const until = page.getByLabel('Until', { exact: true });
    await until.fill('2026-11-20T11:00');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Enter a time that is not before “From”.').waitFor();
    expect([await until.getAttribute('aria-invalid'), new URL(page.url()).search]).toEqual(['true', '']);
  });

  it('hides refused refreshes of ended sessions in the audit log by default', async () => {
    await fetch(`${world.product.url}/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: 'ended' }),
    });
    await page.goto('/app/admin/audit');
    const refused = page.getByRole('row', { name: /Could not continue a session.*An unknown caller/ }).first();
    await page
      .getByRole('row', { name: /Signed in/ })
      .first()
      .waitFor();
    expect(await refused.count()).toBe(0);
    await page.getByText('Show refused refreshes of ended sessions').click();
    await refused.waitFor();
    await page.getByText('Show refused refreshes of ended sessions').click();
    await refused.waitFor({ state: 'detached' });
  });

  it('turns the pages of the audit log with the focus on the list, and back', async () => {
    const { api } = world.parlance;
    for (let index = 0; index < AUDIT_ROWS; index++) await api.get('/admin/users', { query: { limit: 1 } });
    await page.goto('/app/admin/audit');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/token=/);
    await page.locator(':focus').getByRole('table').waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.waitForURL(/audit$/);
  });

  it('leads from a page with an expired token to the first page', async () => {
    await page.goto('/app/admin/audit?token=ended');
    await page.waitForURL(/audit$/);
    await page.getByRole('button', { name: 'Next' }).waitFor();
  });

  it('explores the calls of programs by the names of users and tokens', async () => {
    await page.goto('/app/admin/calls');
    const rows = page.getByRole('region', { name: 'Calls', exact: true }).getByRole('row');
    await rows.getByRole('link', { name: `Report ${world.id} Show only the calls with this token` }).click();
    await page.waitForURL(/token_id=/);
    await page.getByRole('button', { name: 'Clear' }).waitFor();
    await rows.getByRole('link', { name: `${world.admin.name} Example Show only the calls of this user` }).click();
    await page.waitForURL(/user=/);
    await waitFor(async () => (await page.getByRole('combobox', { name: 'User' }).inputValue()) === `${world.admin.name} Example`);
    expect(await rows.count()).toBe(2);
    await page.getByRole('term').filter({ hasText: 'Calls' }).waitFor();
    expect(await page.getByRole('definition').first().innerText()).toBe('1');
    await page.getByRole('img', { name: 'Calls' }).waitFor();
    await expectAccessible(page);
    await rows.getByRole('button', { name: /^Show the call of / }).press('Enter');
    const panel = page.getByRole('dialog', { name: 'Call' });
    await panel.getByText('app: report').waitFor();
    await panel.getByText('/v1/chat/completions').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  });

  it('says why no calls are listed, and shows all of them again', async () => {
    await page.getByRole('textbox', { name: 'Tag' }).fill('app:other');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No call matches the filters').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForURL(/calls$/);
    await page.getByRole('link', { name: `Report ${world.id} Show only the calls with this token` }).waitFor();
  });

  it('sees the policies for texts', async () => {
    await page.goto('/app/admin/guardrails');
    await page.getByRole('row', { name: 'projects Counts Answers Published bots E-mail addresses, 1 word or phrase' }).waitFor();
    await expectAccessible(page);
  });

  it('verifies the audit log', async () => {
    await page.goto('/app/admin/audit');
    await page.getByRole('button', { name: 'Verify the log' }).click();
    await page.getByText(/The log is valid/).waitFor();
    await page.keyboard.press('Escape');
    expect(reported).toEqual([]);
  });
});
