import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ChatWorld, chatWorld } from '../chat-world.ts';
import { atEnd, expectAccessible } from '../console-world.ts';

/** More than the bots and users of other spec files cost, so that the overview lists them. */
const INPUT_TOKENS = 90_000;

describe('a question of an administrator, from the overview', () => {
  let world: ChatWorld;
  let page: Page;
  let title: string;
  beforeAll(async () => {
    world = await chatWorld();
    const { api, bots, conversations } = world.parlance;
    title = `Costly ${world.id}`;
    const { id } = await bots.create({ title, display_retrieved_chunks: true });
    atEnd(() => bots.delete(id));
    await bots.upload(id, 'house.txt', 'text/plain', new TextEncoder().encode('The canteen is on the second floor.'));
    await bots.change(id, { knowledge: { added_filenames: ['house.txt'] } });
    await bots.synced(id);
    await api.patch('/bot/{botId}/visibility', { path: { botId: id }, body: { target_shared_scope: 'all' } });
    const token = { description: `Nightly ${world.id}`, scopes: ['models' as const], models: ['scripted*'] };
    const { token_id: tokenId } = await api.post('/user/me/tokens', { body: token });
    atEnd(() => api.delete('/user/me/tokens/{tokenId}', { path: { tokenId } }));
    world.provider.reportInput(INPUT_TOKENS);
    world.provider.finish('Hello.');
    const ask = (body: string, more: object = {}) => conversations.ask({ ...more, message: { content: [{ content_type: 'text', body }] } });
    const { conversation_id, message } = await ask('Where is the canteen?', { bot_id: id });
    // Repeated, because other spec files ask too, and the rarest questions are not listed.
    for (let time = 1; time <= 3; time++) {
      await ask('Where is the canteen?', { bot_id: id });
      await ask(`Who sings of ${world.id}?`);
    }
    await conversations.rate(conversation_id, message.message_id, { thumbs_up: false, category: 'incorrect', comment: 'Which floor?' });
    ({ page } = await world.openSignedIn());
  });
  beforeEach(async () => {
    await page.goto('/app/admin');
    await page.getByRole('main').getByRole('link', { name: title }).waitFor();
  });

  const region = (name: string) => page.getByRole('main').getByRole('region', { name, exact: true });

  it('who spent what: one click', async () => {
    await page.getByRole('link', { name: 'All costs' }).click();
    await region('Users').getByRole('cell', { name: world.admin.email }).waitFor();
    await region('Bots').getByRole('cell', { name: title }).waitFor();
  });

  it('why did the cost jump: one click to users, bots and models beside the month before', async () => {
    await page.getByRole('link', { name: 'All costs' }).click();
    for (const name of ['Users', 'Bots', 'Models']) await region(name).getByRole('columnheader', { name: 'Before' }).waitFor();
  });

  it('what do people ask a bot: one click', async () => {
    await page.getByRole('main').getByRole('link', { name: title }).click();
    await page.getByRole('cell', { name: 'Where is the canteen?' }).waitFor();
    await expectAccessible(page);
  });

  it('what do people ask over all bots, and without one: one click, and a choice', async () => {
    await page.getByRole('link', { name: 'Questions', exact: true }).click();
    await page.getByRole('cell', { name: 'Where is the canteen?' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /All chats/ }).click();
    await page.getByRole('option', { name: 'Chats without a bot' }).click();
    await page.getByRole('cell', { name: 'Where is the canteen?' }).waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: `Who sings of ${world.id}?` }).waitFor();
  });

  it('which bots are bad: one click', async () => {
    await page.getByRole('link', { name: 'Quality' }).click();
    const rated = page.getByRole('row', { name: title });
    await rated.getByRole('cell', { name: '0%' }).first().waitFor();
    await expectAccessible(page);
    await rated.getByRole('link', { name: title, exact: true }).click();
    await page.getByRole('cell', { name: 'Where is the canteen?' }).waitFor();
  });

  it('what is bad about a bot: two clicks to its bad ratings, and one more to the question, the reply and the passages', async () => {
    await page.getByRole('link', { name: 'Quality' }).click();
    await page.getByRole('link', { name: `Bad ratings of ${title}: 1` }).click();
    const rating = page.getByRole('row', { name: 'It is incorrect' });
    await rating.getByRole('link', { name: world.admin.name }).waitFor();
    await rating.getByText('Which floor?').waitFor();
    await expectAccessible(page);
    await rating.getByRole('button', { name: /^Show the reply/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Rated reply' });
    for (const [part, text] of [
      ['Question', 'Where is the canteen?'],
      ['Reply', 'Hello.'],
      ['Passages', 'The canteen is on the second floor.'],
    ] as const)
      await dialog.getByRole('region', { name: part }).getByText(text).waitFor();
    await expectAccessible(page);
  });

  it('who did what to a bot: two clicks', async () => {
    await page.getByRole('main').getByRole('link', { name: title }).click();
    await page.getByRole('main').getByRole('link', { name: 'Audit log' }).click();
    const created = page.getByRole('row', { name: /Created a bot/ });
    await created.getByRole('link', { name: title }).waitFor();
    expect(await created.innerText()).toContain('You');
    await page.getByRole('row', { name: /Changed who can use a bot/ }).waitFor();
  });

  it('who may use a model: two clicks', async () => {
    await page.getByRole('link', { name: 'Models and prices' }).click();
    await page.getByRole('button', { name: 'Access to Scripted model' }).click();
    const panel = page.getByRole('dialog', { name: 'Who may use Scripted model' });
    await panel.getByText('All users can choose it in chats without a bot.').waitFor();
    const shared = panel.getByRole('region', { name: 'Shared bots' }).getByRole('listitem').filter({ hasText: title });
    await shared.getByText('Allows all models').waitFor();
    const token = panel
      .getByRole('region', { name: 'Access tokens' })
      .getByRole('listitem')
      .filter({ hasText: `Nightly ${world.id}` });
    await token.getByText('Only scripted*').waitFor();
    await token.getByRole('link', { name: world.admin.name }).waitFor();
    await expectAccessible(page);
  });
});
