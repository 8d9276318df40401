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

  const conversations = async (query: object = {}) =>
    (await world.parlance.api.get('/conversations', { query })).conversations.map(({ title }) => title);
  const inMenuOf = async (title: string, item: string) => {
    await list()
      .getByRole('button', { name: `Actions for ${title}` })
      .first()
      .press('Enter');
    await page.getByRole('menuitem', { name: item }).press('Enter');
  };

  it('pins a chat on the server, so that another browser shows it', async () => {
    await search('');
    await inMenuOf('Equipment', 'Pin');
    await list().getByRole('heading', { name: 'Pinned' }).waitFor();
    expect(await conversations({ pinned: true })).toEqual(['Equipment']);
    const { page: other } = await world.openSignedIn();
    await other.getByRole('heading', { name: 'Pinned' }).waitFor();
    await other.context().close();
    await inMenuOf('Equipment', 'Unpin');
    await list().getByRole('heading', { name: 'Pinned' }).waitFor({ state: 'detached' });
    expect(await conversations({ pinned: true })).toEqual([]);
    expect(reported).toEqual([]);
  });

  it('creates a project, and moves chats into it from the menu and by dragging', async () => {
    await list().getByRole('button', { name: 'New project' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New project' });
    await dialog.getByLabel('Title').fill('Voyage');
    await dialog.getByLabel('Instruction').fill('Answer briefly.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Voyage' }).waitFor();
    await expectAccessible(page);

    await inMenuOf('Leave', 'Move to a project');
    const move = page.getByRole('dialog', { name: 'Move to a project' });
    await move.getByRole('button', { name: /Project/ }).press('Enter');
    await page.getByRole('option', { name: 'Voyage' }).press('Enter');
    await move.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('main').getByRole('link', { name: 'Leave' }).waitFor();
    expect(await list().getByRole('link', { name: 'Leave' }).count()).toBe(0);

    await list()
      .getByRole('link', { name: 'Crossing' })
      .dragTo(list().getByRole('link', { name: 'Voyage' }));
    await page.getByRole('main').getByRole('link', { name: 'Crossing' }).waitFor();
    expect(await list().getByRole('link', { name: 'Crossing' }).count()).toBe(1);
    await list()
      .getByRole('link', { name: 'Crossing' })
      .dragTo(list().getByRole('link', { name: 'Equipment' }));
    await page.getByRole('main').getByRole('link', { name: 'Crossing' }).waitFor({ state: 'detached' });
    expect(reported).toEqual([]);
  });

  it('starts a chat in the project, also when its first message is edited', async () => {
    await page.getByRole('button', { name: 'New chat in this project' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Voyage' }).waitFor();
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Is there a lounge?');
    await page.getByRole('textbox', { name: 'Message', exact: true }).press('Enter');
    await page.waitForURL('**/app/c/*');
    const shown = () => page.url().split('/').at(-1);
    const { projects } = await world.parlance.api.get('/projects');
    const path = { projectId: projects[0]!.project_id };
    const isPlaced = async (id: string | undefined) => {
      const { conversations: placed } = await world.parlance.api.get('/projects/{projectId}/conversations', { path });
      return placed.some(({ conversation_id }) => conversation_id === id);
    };
    const first = shown();
    expect(await isPlaced(first)).toBe(true);

    // An edited first message starts another chat.
    await page.getByRole('button', { name: 'Edit the message' }).click();
    const field = page.getByRole('textbox', { name: 'Edit the message' });
    await field.fill('Is there a quiet lounge?');
    await field.press('Enter');
    await page.waitForURL((url) => url.pathname.split('/').at(-1) !== first);
    expect(await isPlaced(shown())).toBe(true);
    expect(reported).toEqual([]);
  });

  it('moves pins and folders of an earlier release to the server, once', async () => {
    const { user_id: userId } = await world.parlance.me();
    const key = `parlance.kept-chats.${userId}`;
    const kept = [
      { id: ids.get('Equipment'), title: 'Equipment', folder: null },
      { id: ids.get('Travel'), title: 'Crossing', folder: 'Sea' },
      { id: '01K0000000000000000000000A', title: 'Deleted elsewhere', folder: 'Sea' },
    ];
    await page.evaluate(([name, value]) => localStorage.setItem(name!, value!), [key, JSON.stringify(kept)]);
    await page.reload();
    await list().getByRole('heading', { name: 'Pinned' }).waitFor();
    await list().getByRole('button', { name: 'Show the chats of Sea' }).click();
    await list().getByRole('link', { name: 'Crossing' }).waitFor();
    await page.waitForFunction((name) => localStorage.getItem(name) === null, key);
    expect(await conversations({ pinned: true })).toEqual(['Equipment']);
    const titles = async () => (await world.parlance.api.get('/projects')).projects.map(({ title }) => title).sort();
    expect(await titles()).toEqual(['Sea', 'Voyage']);
    await page.reload();
    await list().getByRole('link', { name: 'Sea' }).waitFor();
    expect(await titles()).toEqual(['Sea', 'Voyage']);
    expect(reported).toEqual([]);
  });
});
