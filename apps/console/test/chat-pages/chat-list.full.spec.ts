import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, consoleWorld, expectAccessible } from '../console-world.ts';

describe('the list of chats', () => {
  let world: ConsoleWorld;
  let page: Page;
  let reported: readonly string[];
  const ids = new Map<string, string>();
  beforeAll(async () => {
    world = await consoleWorld();
    for (const [title, question] of [
      ['Leave', 'How many days does the almanac give?'],
      ['Travel', 'Who books the ferry?'],
      ['Equipment', 'When is a lamp replaced?'],
    ] as const) {
      const { conversation_id } = await world.parlance.conversations.ask({
        message: { content: [{ content_type: 'text', body: question }] },
      });
      await world.parlance.conversations.setTitle(conversation_id, title);
      ids.set(title, conversation_id);
    }
    ({ page, reported } = await world.openSignedIn());
  });

  const list = () => page.getByRole('navigation', { name: 'Chats' });
  const search = (text: string) => list().getByRole('searchbox', { name: 'Search chats' }).fill(text);
  const named = async () => {
    const links = await list().getByRole('link').allInnerTexts();
    return links.map((text) => text.split('\n')[0]).sort();
  };

  it('finds a chat by a word of its messages, shows the match, and opens it', async () => {
    await list().getByRole('link', { name: 'Travel' }).waitFor();
    await search('ferry');
    await list().getByText('1 chat', { exact: true }).waitFor();
    expect(await named()).toEqual(['Travel']);
    await list().locator('mark', { hasText: 'ferry' }).waitFor();
    await expectAccessible(page);
    await list().getByRole('link', { name: 'Travel' }).click();
    await page.waitForURL(`**/app/c/${ids.get('Travel')}`);
    await page.getByRole('main').getByText('Who books the ferry?').waitFor();
  });

  it('reports that no chat has the words, and shows all chats again without them', async () => {
    await search('xylophone');
    await list().getByText('0 chats').waitFor();
    await search('');
    await list().getByRole('link', { name: 'Leave' }).waitFor();
    expect(await named()).toEqual(['Equipment', 'Leave', 'Travel']);
  });

  it('renames a chat, which is then found by its new name', async () => {
    await list().getByRole('button', { name: 'Actions for Travel' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename' });
    await dialog.getByLabel('Name').fill('Crossing');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Chat renamed.').waitFor();
    await list().getByRole('link', { name: 'Crossing' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Crossing' }).waitFor();
    expect(await world.parlance.conversations.get(ids.get('Travel')!)).toMatchObject({ title: 'Crossing' });
    await search('crossing');
    await list().getByText('1 chat', { exact: true }).waitFor();
    expect(await named()).toEqual(['Crossing']);
    expect(reported).toEqual([]);
  });

  it('immediately shows what another tab pins', async () => {
    const other = await page.context().newPage();
    await other.goto('/app/store');
    await other.getByRole('button', { name: 'Actions for Equipment' }).press('Enter');
    await other.getByRole('menuitem', { name: 'Pin' }).click();
    await search('');
    await list().getByRole('heading', { name: 'Pinned' }).waitFor();
    await other.close();
    expect(reported).toEqual([]);
  });
});
