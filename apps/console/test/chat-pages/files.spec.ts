import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { ask, type ChatWorld, chatWorld, composerOf, textIn } from '../chat-world.ts';
import { expectAccessible } from '../console-world.ts';

interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

const NOTES: GivenFile = { name: 'notes.txt', type: 'text/plain', base64: Buffer.from('The harbour closes at nine.').toString('base64') };
/** One pixel. */
const PICTURE: GivenFile = {
  name: 'harbour.png',
  type: 'image/png',
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};
const EMPTY: GivenFile = { name: 'empty.txt', type: 'text/plain', base64: '' };

/** Drops files on an element or pastes them into it, like the browser. */
const give = (page: Page, how: 'drop' | 'paste', ...files: readonly GivenFile[]) => giveTo(composerOf(page), how, files);

const giveTo = (place: Locator, how: 'drop' | 'paste', files: readonly GivenFile[]) =>
  place.evaluate(
    (field, given) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of given.files) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      const options = { bubbles: true, cancelable: true };
      return !field.dispatchEvent(
        given.how === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data }),
      );
    },
    { how, files },
  );

describe('files of a message', () => {
  let world: ChatWorld;
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await chatWorld();
    ({ page, reported } = await world.openSignedIn());
  });

  const attached = () => page.getByRole('list', { name: 'Attached files' });

  it('are attached when they are dropped, refused with the reason, and removed', async () => {
    await give(page, 'drop', NOTES, PICTURE, EMPTY);
    await attached().getByText('notes.txt').waitFor();
    await attached().getByText('harbour.png').waitFor();
    await page.getByRole('alert').filter({ hasText: 'empty.txt is empty.' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove harbour.png' }).click();
    await attached().getByText('harbour.png').waitFor({ state: 'detached' });
    expect(await attached().getByRole('listitem').count()).toBe(1);
  });

  it('are named when one of them cannot be read', async () => {
    await give(page, 'drop', { ...NOTES, name: 'broken.docx', base64: Buffer.from('PK\u0003\u0004').toString('base64') });
    await attached().getByText('broken.docx').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').filter({ hasText: 'The message was not sent because of broken.docx' }).waitFor();
    await page.getByRole('button', { name: 'Remove broken.docx' }).click();
  });

  it('are attached when they are dropped anywhere on the page, instead of being opened by the browser', async () => {
    const isTaken = await giveTo(page.getByRole('navigation').first(), 'drop', [PICTURE]);
    await attached().getByText('harbour.png').waitFor();
    expect(isTaken).toBe(true);
    await page.getByRole('button', { name: 'Remove harbour.png' }).click();
  });

  it('are attached when they are pasted, and sent to the model', async () => {
    const { provider } = world;
    await give(page, 'paste', PICTURE);
    await attached().getByText('harbour.png').waitFor();
    await ask(page, 'What is in them?');
    await waitFor(() => provider.begun === 1);
    expect(provider.lastRequest).toContain('The harbour closes at nine.');
    expect(provider.lastRequest).toContain(`data:image/png;base64,${PICTURE.base64}`);
    provider.end('A harbour.');
    await textIn(page, 'A harbour.').waitFor();
    expect(await attached().count()).toBe(0);
  });

  it('are shown with the message after a reload, the image from the server', async () => {
    await page.waitForURL(/\/app\/c\//);
    await page.reload();
    const image = page.getByRole('img', { name: 'Sent image' });
    await image.waitFor();
    await waitFor(async () => (await image.evaluate((its) => (its as HTMLImageElement).naturalWidth)) === 1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download notes\.txt/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('notes.txt');
    await expectAccessible(page);
    expect(reported).toEqual([]);
  });

  it('are named in the chat when it is downloaded as Markdown', async () => {
    const menu = page.getByRole('main').getByRole('button', { name: /^Actions for/ });
    await menu.press('Enter');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download as Markdown' }).press('Enter'),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.md$/);
    const lines = (await readFile(await download.path(), 'utf8')).split('\n').filter((line) => line !== '' && !/ (AM|PM)/.test(line));
    const title = (await page.getByRole('heading', { level: 1 }).innerText()).trim();
    expect(lines.toSorted()).toEqual(
      [
        `# ${title}`,
        '## You',
        '*Attached: notes.txt*',
        '*Attached: an image*',
        'What is in them?',
        '## Scripted model',
        'A harbour.',
      ].toSorted(),
    );
  });

  it('are printed with the chat, without the navigation and the field for a message', async () => {
    const printed = page.evaluate<boolean>('new Promise((resolve) => { globalThis.print = () => resolve(true); })');
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Actions for/ })
      .press('Enter');
    await page.getByRole('menuitem', { name: 'Print' }).press('Enter');
    expect(await printed).toBe(true);
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await textIn(page, 'A harbour.').waitFor();
    expect(await page.getByRole('button', { name: /Download notes/ }).isVisible()).toBe(true);
    expect(await page.getByRole('navigation').or(composerOf(page)).filter({ visible: true }).count()).toBe(0);
    // Nothing scrolls on paper.
    expect(await page.getByRole('region', { name: 'Messages' }).evaluate((its) => getComputedStyle(its).overflowY)).toBe('visible');
    await page.emulateMedia({ media: 'screen' });
    expect(reported).toEqual([]);
  });
});
