import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { type ChatWorld, chatWorld } from '../chat-world.ts';
import { atEnd, expectAccessible } from '../console-world.ts';

describe('the costs of an installation', () => {
  let world: ChatWorld;
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await chatWorld();
    const { api, bots, conversations } = world.parlance;
    world.provider.finish('Hello.');
    const { id } = await bots.create({ title: `Shop ${world.id}` });
    atEnd(() => bots.delete(id));
    await api.patch('/bot/{botId}/visibility', { path: { botId: id }, body: { target_shared_scope: 'all' } });
    await api.post('/bot/{botId}/publication', { path: { botId: id }, body: { allowed_origins: ['*'] } });
    atEnd(() => api.delete('/bot/{botId}/publication', { path: { botId: id } }));
    const publication = () => api.get('/bot/{botId}/publication', { path: { botId: id } });
    await waitFor(async () => (await publication()).codebuild_status === 'SUCCEEDED', { what: 'the deployment' });
    const key = { description: `Web shop ${world.id}` };
    const { value } = await api.post('/bot/{botId}/publication/api-key', { path: { botId: id }, body: key });
    const asked = await fetch(`${(await publication()).endpoint}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${value}` },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] }),
    });
    if (!asked.ok) throw new Error(`The published bot answered with ${asked.status}.`);
    await conversations.ask({ message: { content: [{ content_type: 'text', body: 'Hello?' }] } });
    ({ page, reported } = await world.openSignedIn());
    await page.goto('/app/admin/costs?top=100');
  });

  const table = (name: string) => page.getByRole('main').getByRole('region', { name, exact: true });

  it('name API keys by their descriptions, and models as in the catalogue', async () => {
    await table('API keys')
      .getByRole('cell', { name: `Web shop ${world.id}` })
      .waitFor();
    await table('Models').getByRole('cell', { name: 'Scripted model', exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('have a row for what no bot has cost', () =>
    table('Bots').getByRole('row', { name: 'All other bots, and chats without a bot' }).waitFor());

  it('have filters that screen readers name once', async () => {
    const filters = await page
      .getByRole('main')
      .getByRole('button', { name: /Rows per table|Amounts/ })
      .all();
    const snapshots = await Promise.all(filters.map((filter) => filter.ariaSnapshot()));
    expect(snapshots.map((each) => /"(.*)"/.exec(each)![1])).toEqual(['As billed Amounts', 'Top 100 Rows per table']);
  });

  it('by day are a table, too, whose name is not repeated', async () => {
    await page.getByRole('button', { name: 'Show as table' }).click();
    await table('Cost per day').getByRole('columnheader', { name: 'This period' }).waitFor();
    expect(await table('Cost per day').count()).toBe(1);
    await expectAccessible(page);
  });

  it('are shown without a report of the browser', () => expect(reported).toEqual([]));
});
