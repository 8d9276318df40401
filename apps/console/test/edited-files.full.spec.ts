import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ask, type ChatWorld, chatWorld } from './chat-world.ts';
import { expectAccessible, PHONE } from './console-world.ts';

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const FILES = [
  { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan has three steps.') },
  { name: 'pixel.png', mimeType: 'image/png', buffer: PIXEL },
];

const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });

describe('a message with files that is edited', () => {
  let world: ChatWorld;
  let provider: ChatWorld['provider'];
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await chatWorld();
    ({ provider } = world);
    ({ page, reported } = await world.openSignedIn(PHONE));
    provider.finish('Good morning.');
    await ask(page, 'Hello');
    await replied('Good morning.');
    await page.locator('input[type=file]').setInputFiles(FILES);
    await page.getByRole('textbox', { name: 'Message' }).fill('What is the plan?');
    provider.finish('Three steps.');
    await send(page).click();
    await replied('Three steps.');
  });

  const replied = async (text: string) => {
    const reply = page.getByRole('article').filter({ hasText: text });
    await reply.getByRole('button', { name: 'Good reply' }).waitFor();
  };

  /** The files of the messages of the user, from the server. */
  const stored = async () => {
    const path = { conversationId: new URL(page.url()).pathname.split('/').at(-1)! };
    const { message_map } = await world.parlance.api.get('/conversation/{conversationId}', { path });
    return Object.values(message_map).flatMap(({ role, content }) =>
      role === 'user'
        ? [content.flatMap((part) => (part.content_type === 'image' || part.content_type === 'attachment' ? [part.sha256] : []))]
        : [],
    );
  };
  const sent = () => page.getByRole('article').filter({ hasText: 'plan.txt' });
  const edit = async () => {
    // A message can be edited when its stored form is read, which is after the end of its reply.
    await sent().getByRole('button', { name: 'Edit the message' }).click();
  };
  const sendEdited = async (answer: string) => {
    provider.finish(answer);
    await sent().getByRole('button', { name: 'Send', exact: true }).click();
    await replied(answer);
  };

  it('is still edited when Escape ends the choice of a word of an input method', async () => {
    await edit();
    const field = page.getByRole('textbox', { name: 'Edit the message' });
    await field.fill('How many?');
    await field.dispatchEvent('keydown', { key: 'Escape', isComposing: true });
    expect(await field.inputValue({ timeout: 2_000 })).toBe('How many?');
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  it('keeps its files', async () => {
    await edit();
    await page.getByRole('button', { name: 'Remove plan.txt' }).waitFor();
    await sent().getByRole('img').waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Edit the message' }).fill('How many steps has the plan?');
    await sendEdited('It has three.');
    await page.getByText('2/2').waitFor();
    await page.getByRole('button', { name: /plan\.txt/ }).waitFor();
    await page.getByRole('main').getByRole('img').waitFor();
    const [one, other, ...none] = (await stored()).filter((files) => files.length > 0);
    expect([one?.length, none]).toEqual([2, []]);
    expect(one?.toSorted()).toEqual(other?.toSorted());
  });

  it('loses a file that its user removes', async () => {
    await edit();
    await page.getByRole('button', { name: 'Remove image 2' }).click();
    await sendEdited('No image any more.');
    await page.getByText('3/3').waitFor();
    await page.getByRole('button', { name: /plan\.txt/ }).waitFor();
    expect(await page.getByRole('main').getByRole('img').count()).toBe(0);
    expect((await stored()).map(({ length }) => length).toSorted()).toEqual([0, 1, 2, 2]);
    expect(reported).toEqual([]);
  });
});
