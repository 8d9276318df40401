import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
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
});
