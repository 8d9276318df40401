import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { consoleWorld, DESKTOP, expectAccessible, person, PHONE, signIn } from '../console-world.ts';
import { seed } from '../seeded.ts';

const NOTHING = 'This link does not work';

const world = await consoleWorld();
const seeded = await seed(world);

/** The dialog of the chat, from its menu by the keyboard. */
async function openShareDialog(page: Page) {
  await page.goto(`/app/c/${seeded.conversationId}`);
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Actions for/ })
    .press('Enter');
  await page.getByRole('menuitem', { name: 'Share' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Share/ });
  await dialog.getByRole('button', { name: 'Create a link' }).waitFor();
  // The existing links.
  await dialog.getByRole('table').or(dialog.getByText('This chat has no links.')).first().waitFor();
  return dialog;
}

/** The new link, at the address of the product. */
async function madeLink(dialog: Awaited<ReturnType<typeof openShareDialog>>): Promise<string> {
  await dialog.getByRole('button', { name: 'Create a link' }).click();
  const link = await dialog.getByRole('region', { name: 'Link', exact: true }).innerText();
  expect(link).toMatch(/^http:\/\/[^/]+\/app\/shared#[\w-]{43}$/);
  return `${world.product.url}${link.slice(link.indexOf('/app/'))}`;
}

describe('a shared chat', () => {
  it('is readable with its link, with its sources, until the link is revoked', async () => {
    const { page, reported } = await world.openSignedIn();
    const dialog = await openShareDialog(page);
    await dialog.getByText('This chat has no links.').waitFor();
    await dialog.getByRole('radio', { name: /Anyone/ }).press('Space');
    await dialog.getByRole('checkbox', { name: 'Passages that replies cite' }).press('Space');
    const link = await madeLink(dialog);
    await dialog.getByRole('region', { name: 'Links of this chat' }).getByText('with sources').waitFor();
    await expectAccessible(page);

    const { page: reader, reported: readerReported } = await world.open();
    const requests: string[] = [];
    reader.on('request', (request) => requests.push(request.url()));
    await reader.goto(link);
    await reader.getByRole('heading', { level: 1, name: /days of leave/ }).waitFor();
    await reader.getByText('there are 25 days of leave').first().waitFor();
    await reader.getByRole('heading', { level: 2, name: 'Offline model' }).first().waitFor();
    for (const looks of [{ ...DESKTOP, colorScheme: 'dark' } as const, { ...PHONE, colorScheme: 'light' } as const]) {
      await reader.setViewportSize(looks.viewport);
      await reader.emulateMedia({ colorScheme: looks.colorScheme });
      await expectAccessible(reader);
      expect(await reader.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    await reader
      .getByRole('button', { name: /handbook\.txt/ })
      .first()
      .click();
    await reader.getByRole('dialog').getByText('there are 25 days of leave').waitFor();
    await reader.keyboard.press('Escape');
    await reader.reload();
    await reader.getByRole('heading', { level: 1, name: /days of leave/ }).waitFor();
    // An address without the token: what follows # is never sent to a server.
    expect(requests.filter((url) => new URL(url).pathname.startsWith('/app') && url.includes(link.split('#')[1]!))).toEqual([]);

    await page.goto('/app/account/shares');
    await page.getByRole('button', { name: /^Revoke the link to/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('You have not shared any chats').waitFor();
    await reader.reload();
    await reader.getByText(NOTHING).first().waitFor();
    await reader.getByText(/was revoked/).waitFor();
    await expectAccessible(reader);
    expect([...reported, ...readerReported]).toEqual([]);
  });

  it('has the files of its messages for readers without an account, if the owner shares them', async () => {
    const body = Buffer.from('Bring a coat.').toString('base64');
    const content = [
      { content_type: 'attachment' as const, file_name: 'note.txt', body },
      { content_type: 'text' as const, body: 'What is in the note?' },
    ];
    const { conversation_id: conversationId } = await world.parlance.conversations.ask({ message: { content } });
    const wanted = { audience: 'public' as const, include_attachments: true };
    const { url } = await world.parlance.api.post('/conversation/{conversationId}/shares', { path: { conversationId }, body: wanted });
    const { page } = await world.open();
    await page.goto(`/app/shared#${url.split('/').at(-1)!}`);
    const button = page.getByRole('button', { name: 'Download note.txt' });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(await readFile(await download.path(), 'utf8')).toBe('Bring a coat.');
  });

  it('for signed-in users asks others to sign in, and returns to its link', async () => {
    const { page } = await world.openSignedIn();
    const link = await madeLink(await openShareDialog(page));
    const ida = await person(world, 'ida');
    const { page: reader } = await world.open();
    await reader.goto(link);
    await reader.getByText(NOTHING).first().waitFor();
    await reader.getByRole('link', { name: 'Sign in' }).first().click();
    await reader.waitForURL(/sign-in/);
    expect(reader.url()).not.toContain(link.split('#')[1]);
    await signIn(reader, ida);
    await reader.getByRole('heading', { level: 1, name: /days of leave/ }).waitFor();
    expect(reader.url()).toBe(link);
    await reader.getByRole('link', { name: 'Open Parlance' }).click();
    await reader.getByRole('heading', { level: 1, name: 'What can I help with?' }).waitFor();
  });

  it('is offered only to signed-in users if an administrator does not allow public links, and is revoked in its dialog', async () => {
    const { page } = await world.openSignedIn();
    await page.route('**/config/global', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), allow_public_links: false } });
    });
    const dialog = await openShareDialog(page);
    await dialog.getByText('Links for people without an account are not allowed here.').waitFor();
    expect(await dialog.getByRole('radio').count()).toBe(0);
    const before = await dialog.getByRole('button', { name: /^Revoke the link/ }).count();
    await madeLink(dialog);
    await dialog
      .getByRole('button', { name: /^Revoke the link/ })
      .nth(before)
      .waitFor();
    await dialog
      .getByRole('button', { name: /^Revoke the link/ })
      .first()
      .click();
    const question = page.getByRole('dialog', { name: 'Revoke the link?' });
    await question.getByRole('button', { name: 'Revoke', exact: true }).click();
    await question.waitFor({ state: 'hidden' });
    await dialog
      .getByRole('button', { name: /^Revoke the link/ })
      .nth(before)
      .waitFor({ state: 'detached' });
    // The focus moves to the list some frames after the confirmation and its button have disappeared.
    await page.locator(':focus').getByRole('table').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('is not requested without a complete link', async () => {
    const { page } = await world.open();
    await page.goto('/app/shared#short');
    await page.getByText('Open the complete link that you were sent.').waitFor();
    await expectAccessible(page);
  });
});
