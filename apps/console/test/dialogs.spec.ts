import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Locator, Page } from 'playwright-core';
import { ask, textIn } from './chat-world.ts';
import { addModel, connectProvider, removedAtEnd, removeModel, tryRoute } from './connecting.ts';
import { atEnd, type ConsoleWorld, consoleWorld, expectAccessible, person, PHONE } from './console-world.ts';
import { streamingProvider } from './streaming-provider.ts';

describe('an error in a dialog with a form', () => {
  let page: Page;
  let dialog: Locator;
  beforeAll(async () => {
    ({ page } = await (await consoleWorld()).openSignedIn());
    await page.goto('/app/admin/groups');
    await page.getByRole('button', { name: 'Create a group' }).first().click();
    dialog = page.getByRole('dialog');
  });

  /** Sends the form. The server refuses it with these errors. */
  const refused = async (status: number, ...errors: { readonly path: string; readonly message: string }[]) => {
    const body = { status, code: 'some_code', detail: 'The request is refused.', errors };
    await page.route('**/admin/groups', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(body) })
        : route.fallback(),
    );
    await dialog.getByRole('textbox', { name: 'Name' }).fill(`Group ${status} ${errors.length}`);
    await page.keyboard.press('Enter');
  };
  const above = () => dialog.getByRole('alert').filter({ hasText: 'The request is refused.' });

  it('is at its field', async () => {
    await refused(400, { path: 'name', message: 'is a strange name' });
    await dialog.getByText('is a strange name').waitFor();
    expect(await above().count()).toBe(0);
    await expectAccessible(page);
  });

  it('is above the fields if it belongs to none', async () => {
    await refused(409);
    await above().waitFor();
    await expectAccessible(page);
  });

  it('is above the fields if no field shows it', async () => {
    await refused(400, { path: 'name', message: 'is a strange name' }, { path: 'colour', message: 'is unknown' });
    await dialog.getByText('is a strange name').waitFor();
    await above().waitFor();
  });
});

describe('the menu of models', () => {
  it('finds a model by its name, and says what it costs and why others cannot be used', async () => {
    const { page, reported } = await (await consoleWorld()).openSignedIn(PHONE);
    const button = page.getByRole('main').getByRole('button', { name: /^Model: / });
    const chosen = (await button.innerText()).replace(/^Model:\s*/, '');
    await button.press('Enter');
    const menu = page.getByRole('dialog', { name: 'Model' });
    await menu.getByRole('option', { name: chosen, selected: true }).getByText('Free').waitFor();
    await menu.getByRole('option', { disabled: true }).getByText('Its provider is not connected').first().waitFor();
    await expectAccessible(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await page.keyboard.type('no such model');
    await menu.getByText('No model matches.').waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(chosen.slice(0, 8));
    await menu.getByRole('option', { name: chosen }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await menu.waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
    expect(reported).toEqual([]);
  });
});

describe('the dialog of Ctrl+K', () => {
  let world: ConsoleWorld;
  let page: Page;
  let reported: readonly string[];
  let dialog: Locator;
  beforeAll(async () => {
    world = await consoleWorld();
    const message = { content: [{ content_type: 'text' as const, body: 'When does the ferry leave the zephyr harbour?' }] };
    const { conversation_id } = await world.parlance.conversations.ask({ message });
    await world.parlance.conversations.setTitle(conversation_id, 'Crossing');
    await world.parlance.bots.create({ title: `Zephyr ${world.id}`, description: 'Knows the winds.', icon: 'leaf', colour: 'green' });
    ({ page, reported } = await world.openSignedIn());
    dialog = page.getByRole('dialog', { name: 'Search and commands' });
  });

  const search = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+K');
    await dialog.getByRole('textbox').fill(text);
  };

  it('finds chats by their messages, and bots', async () => {
    await search('zephyr');
    const chats = dialog.getByRole('group', { name: 'Chats' });
    await chats
      .getByRole('option', { name: /^Crossing/ })
      .getByText('zephyr harbour')
      .waitFor();
    await expectAccessible(page);
    await dialog
      .getByRole('option', { name: /^Zephyr/ })
      .locator('svg')
      .waitFor();
    await dialog
      .getByRole('group', { name: 'Bots' })
      .getByRole('option', { name: /^Zephyr.*Knows the winds/ })
      .click();
    await page.getByRole('heading', { level: 1, name: /^Zephyr/ }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('asks the server once for each section when the user pauses', async () => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.keyboard.press('ControlOrMeta+K');
    await dialog.getByRole('textbox').pressSequentially('crossing');
    await dialog.getByRole('option', { name: /^Crossing/ }).waitFor();
    await dialog.getByText('Searching').waitFor({ state: 'detached' });
    expect(requests.sort()).toEqual(['/conversations/search', '/store/search', '/user/search']);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Crossing' }).waitFor();
  });

  it('finds people for administrators, pages and actions', async () => {
    const found = await person(world, 'quentin');
    await search(found.name);
    await dialog.getByRole('group', { name: 'People' }).getByRole('option', { name: found.name }).click();
    await page.waitForURL(`**/app/admin/users/${found.userId}`);
    await search('admin audit');
    await dialog.getByRole('option', { name: 'Administration: Audit log' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    await search('dark colours');
    await dialog.getByRole('option', { name: 'Use dark colours' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
    expect(reported).toEqual([]);
  });

  it('opens from the menu of a phone, and offers no administration and no people to other users', async () => {
    const other = await world.openAs(await person(world, 'ordinary'), undefined, PHONE);
    await other.page.getByRole('button', { name: 'Open the menu' }).click();
    await other.page.getByRole('button', { name: 'Search and commands', exact: true }).click();
    const theirs = other.page.getByRole('dialog', { name: 'Search and commands' });
    await theirs.getByRole('option', { name: 'Store' }).waitFor();
    expect(await theirs.getByRole('option', { name: /Administration/ }).count()).toBe(0);
    await theirs.getByRole('textbox', { name: 'Pages, actions, chats and bots', exact: true }).fill('admin');
    await theirs.getByText('Nothing matches.').waitFor();
    expect(await theirs.getByRole('group', { name: 'People' }).count()).toBe(0);
  });
});

describe('keyboard shortcuts', () => {
  it('are listed with Ctrl+/, start a chat, and hide the navigation, which stays hidden and can be shown again', async () => {
    const { page, reported } = await (await consoleWorld()).openSignedIn();
    await page.goto('/app/store');
    const navigation = page.getByRole('navigation', { name: 'Menu' });
    await navigation.waitFor();
    await page.keyboard.press('Control+/');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Hide or show the navigation').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: /^Hide the navigation/ }).press('Enter');
    await navigation.waitFor({ state: 'hidden' });
    const show = page.getByRole('button', { name: /^Show the navigation/ });
    await show.and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    await page.reload();
    await show.waitFor();
    await page.keyboard.press('Control+b');
    await navigation.waitFor();
    await page.keyboard.press('Control+Shift+O');
    await page.waitForURL(/app\/$/);
    await page.getByRole('textbox', { name: 'Message' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('link', { name: 'Bots', exact: true }).focus();
    await page.keyboard.press('Shift+Escape');
    await page.getByRole('textbox', { name: 'Message' }).and(page.locator(':focus')).waitFor();
    expect(reported).toEqual([]);
  });
});

describe('connecting a model', () => {
  it('leads from a key to a streamed answer, also on a phone', async () => {
    const [world, provider] = await Promise.all([consoleWorld(), streamingProvider()]);
    atEnd(() => provider.stop());
    provider.requireKey('the-right-key');
    const { page, reported } = await world.openSignedIn(PHONE);
    const { id } = world;
    const connected = { page, provider, providerId: `server-${id}`, modelId: `swift-${id}`, routeId: `fast-${id}` };
    removedAtEnd(world, connected);

    await page
      .getByRole('main')
      .getByRole('link', { name: /Connect a model/ })
      .click();
    await connectProvider(connected, 'the-right-key');
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await addModel(connected);
    await page.getByRole('link', { name: 'Chat with it' }).click();
    await page.getByRole('button', { name: 'Model: Swift 2' }).waitFor();
    await ask(page, 'Are you there?');
    await waitFor(() => provider.open === 1);
    provider.say('Yes, I am');
    await textIn(page, 'Yes, I am').waitFor();
    provider.end(' here.');
    await textIn(page, 'Yes, I am here.').waitFor();
    expect((JSON.parse(provider.lastRequest) as { model: string }).model).toBe('swift-2');

    await page.goto('/app/admin/models');
    const row = page.getByRole('region', { name: 'Providers', exact: true }).getByRole('row').filter({ hasText: connected.providerId });
    const remove = async () => {
      await row.getByRole('button', { name: /^Actions/ }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    };
    await row.getByText('Added here').waitFor();
    await row.getByText('Called', { exact: true }).waitFor();
    await expectAccessible(page);
    await remove();
    await page.getByText(`Models of this provider exist: ${connected.modelId}.`).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await tryRoute(connected);
    await removeModel(connected);
    await remove();
    await row.waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: /^Details of / })
      .first()
      .click();
    await page.getByText('Only its prices can be changed here.').waitFor();
    expect(reported).toEqual([]);
  });
});
