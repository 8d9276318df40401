import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, consoleWorld, expectAccessible, type Person, person } from '../console-world.ts';

let world: ConsoleWorld;
beforeAll(async () => void (world = await consoleWorld()));

const openData = (who: Person) => world.openAs(who, '/app/account/data');

async function ask({ parlance }: Person, question: string): Promise<void> {
  await parlance.conversations.ask({ message: { content: [{ content_type: 'text', body: question }] } });
}

async function chooseFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: /^Choose (a|another) file$/ }).press('Enter'),
  ]);
  await chooser.setFiles({ name, mimeType: '', buffer });
}

const titlesOf = async ({ parlance }: Person): Promise<readonly string[]> => {
  const titles: string[] = [];
  for await (const { title } of parlance.conversations.list()) titles.push(title);
  return titles.sort();
};

/** A conversation of ChatGPT with a question, an answer, and an image. */
const chatgpt = (id: string, title: string) => {
  const node = (at: number, parent: string | null, role: string, content: object) => ({
    [`${id}-${at}`]: {
      id: `${id}-${at}`,
      parent,
      children: [],
      message: { id: `${id}-${at}`, author: { role }, create_time: 1_700_000_000 + at, content },
    },
  });
  const image = { content_type: 'multimodal_text', parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'x' }, 'A picture'] };
  return {
    id,
    conversation_id: id,
    title,
    create_time: 1_700_000_000,
    update_time: 1_700_000_100,
    current_node: `${id}-2`,
    mapping: {
      ...node(1, null, 'user', image),
      ...node(2, `${id}-1`, 'assistant', { content_type: 'text', parts: ['The answer.'] }),
    },
  };
};
const fileOf = (...titles: string[]) => Buffer.from(JSON.stringify(titles.map((title, index) => chatgpt(`chat-${index}-${title}`, title))));

describe("the page with a user's own data", () => {
  it('requests an export, shows its progress, and another user imports its file', async () => {
    const [ann, ben] = [await person(world, 'ann'), await person(world, 'ben')];
    await ask(ann, 'Where do swifts sleep?');
    const { page, reported } = await openData(ann);
    await page.getByText('You have no export.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Request an export' }).press('Enter');
    await page.getByText('The export is ready.').waitFor();
    await page.getByText('Will be removed', { exact: true }).waitFor();
    await expectAccessible(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).press('Enter')]);
    const zip = await readFile(await download.path());
    expect(reported).toEqual([]);

    const other = await openData(ben);
    await chooseFile(other.page, 'export', zip);
    await other.page.getByText('The Parlance file has 1 new conversation.').waitFor();
    expect(await titlesOf(ben)).toEqual([]);
    await other.page.getByRole('button', { name: 'Import 1 conversation' }).press('Enter');
    await other.page.getByText('1 conversation was imported.').waitFor();
    expect(await titlesOf(ben)).toEqual(await titlesOf(ann));
    expect(other.reported).toEqual([]);
  });

  it('removes an export', async () => {
    const gus = await person(world, 'gus');
    const { page, reported } = await openData(gus);
    await page.getByRole('button', { name: 'Request an export' }).click();
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await page.getByRole('button', { name: 'Remove the export' }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the export' }).click();
    await page.getByText('You have no export.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(reported).toEqual([]);
  });

  it('shows that the file of an export was removed', async () => {
    const cleo = await person(world, 'cleo');
    const { page } = await openData(cleo);
    await page.getByRole('button', { name: 'Request an export' }).click();
    await page.getByRole('button', { name: 'Download' }).waitFor();
    const removed = {
      status: 404,
      contentType: 'application/problem+json',
      json: { status: 404, code: 'export_not_found', detail: 'Gone.' },
    };
    await page.route('**/user/me/export', (route) => route.fulfill(removed));
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByText('The export was removed. Request another one.').waitFor();
    await page.getByText('You have no export.').waitFor();
  });

  it('imports conversations after it has shown the content of the file, and repeats the request until all are imported', async () => {
    const dan = await person(world, 'dan');
    const { page, reported } = await openData(dan);
    await chooseFile(page, 'conversations.json', fileOf('Swifts', 'Swallows'));
    await page.getByText('The ChatGPT file has 2 new conversations.').waitFor();
    await page.getByRole('region', { name: 'What is skipped' }).getByText('Images are not imported.').waitFor();
    await expectAccessible(page);
    expect(await titlesOf(dan)).toEqual([]);
    let requests = 0;
    await page.route('**/conversations/imports?dry_run=false', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ...(++requests === 1 && { is_complete: false }) } });
    });
    await page.getByRole('button', { name: 'Import 2 conversations' }).click();
    await page.getByText('2 conversations were imported.').waitFor();
    expect(requests).toBe(2);
    expect(await page.getByRole('button', { name: 'Import the rest' }).count()).toBe(0);
    expect(await titlesOf(dan)).toEqual(['Swallows', 'Swifts']);
    await page.getByRole('link', { name: 'Swallows' }).first().waitFor();

    await chooseFile(page, 'conversations.json', fileOf('Swifts', 'Swallows'));
    await page.getByText('The ChatGPT file has 0 new conversations.').waitFor();
    await page.getByText('2 conversations already exist.').waitFor();
    expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
    expect(reported).toEqual([]);
  });

  it('shows why a file cannot be imported, and does not send one that is too large', async () => {
    const { page } = await openData(await person(world, 'eve'));
    let requests = 0;
    page.on('request', (request) => (requests += Number(request.url().includes('/conversations/imports'))));
    await chooseFile(page, 'large.zip', Buffer.alloc(16 * 1024 * 1024 + 1));
    await page.getByText('The file is larger than 16 MiB.').waitFor();
    expect(requests).toBe(0);
    await chooseFile(page, 'notes.json', Buffer.from('no JSON'));
    await page.getByRole('alert').waitFor();
    await page.getByText('The file is larger than 16 MiB.').waitFor({ state: 'hidden' });
    expect(requests).toBe(1);
    await expectAccessible(page);
  });
});
