import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Locator, Page } from 'playwright-core';
import { type ChatWorld, chatWorld, textIn } from '../chat-world.ts';

/** More than the focusable elements of a page. */
const MOST_STOPS = 120;

describe('a chat with only the keyboard', () => {
  let world: ChatWorld;
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await chatWorld();
    ({ page, reported } = await world.open());
  });

  const press = (key: string) => page.keyboard.press(key);
  const type = (text: string) => page.keyboard.type(text);
  const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);
  /** Presses Tab until the element has the focus, and fails if that never happens. */
  const reach = async (target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
    await target.waitFor({ state: 'attached' });
    for (let stops = 0; stops < MOST_STOPS; stops++) {
      if (await hasFocus(target)) return;
      await press(key);
    }
    throw new Error(`${key} does not lead to ${target.toString()}.`);
  };
  const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name, exact: typeof name === 'string' });
  const pressButton = async (name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
    await reach(button(name).last(), key);
    await press('Enter');
  };
  const focused = (target: Locator) => target.and(page.locator(':focus')).waitFor();
  const composer = () => page.getByRole('textbox', { name: 'Message' });

  it('begins with a sign-in', async () => {
    await page.goto('/app/');
    await reach(page.getByLabel('E-mail'));
    await type(world.admin.email);
    await reach(page.getByLabel('Password', { exact: true }));
    await type(world.admin.password);
    await press('Enter');
    await focused(composer());
  });

  it('sends a message, stops its reply, and continues it', async () => {
    const { provider } = world;
    await type('Count to four');
    await press('Enter');
    await waitFor(() => provider.open === 1);
    provider.say('One, two');
    await textIn(page, 'One, two').waitFor();
    await pressButton('Stop the reply');
    await textIn(page, 'You stopped this reply.').waitFor();
    await focused(composer());
    await pressButton('Continue', 'Shift+Tab');
    await waitFor(() => provider.open === 1);
    provider.end(', three, four.');
    await textIn(page, 'One, two, three, four.').waitFor();
  });

  it('continues with the next message, whose first version stays when it is edited', async () => {
    const { provider } = world;
    await reach(composer());
    await type('Second question');
    await press('Enter');
    await waitFor(() => provider.open === 1);
    provider.end('The second answer.');
    await button('Good reply').last().waitFor();
    await pressButton('Edit the message', 'Shift+Tab');
    const field = page.getByRole('textbox', { name: 'Edit the message' });
    await focused(field);
    await press('ControlOrMeta+A');
    await type('Another question');
    await reach(page.locator('form', { has: field }).getByRole('button', { name: 'Send' }));
    await press('Enter');
    await waitFor(() => provider.open === 1);
    provider.end('Another answer.');
    await textIn(page, 'Another answer.').waitFor();
    await pressButton('Earlier version', 'Shift+Tab');
    await textIn(page, 'The second answer.').waitFor();
    await textIn(page, '1/2').waitFor();
  });

  it('renames the chat by its menu, and finds the focus where it was', async () => {
    const actions = button(/^Actions for/);
    await reach(actions, 'Shift+Tab');
    await press('Enter');
    await focused(page.getByRole('menuitem').first());
    await press('ArrowDown');
    await focused(page.getByRole('menuitem', { name: 'Rename' }));
    await press('Enter');
    await focused(page.getByRole('dialog').getByLabel('Name'));
    await press('ControlOrMeta+A');
    await type('By keyboard');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor();
    await waitFor(() => page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body));
  });

  it('begins another chat, and deletes the first one', async () => {
    await reach(page.getByRole('link', { name: 'New chat' }), 'Shift+Tab');
    await press('Enter');
    await page.waitForURL(/\/app\/$/);
    const actions = page.getByRole('navigation', { name: 'Chats' }).getByRole('button', { name: 'Actions for By keyboard' });
    await reach(actions);
    await press('Enter');
    await focused(page.getByRole('menuitem').first());
    await press('End');
    await focused(page.getByRole('menuitem', { name: 'Delete' }));
    await press('Enter');
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true });
    await reach(confirm);
    await press('Enter');
    await page.getByText('Its encryption key was destroyed.').waitFor();
    await actions.waitFor({ state: 'detached' });
    await waitFor(() => page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body));
    expect(reported).toEqual([]);
  });
});
