import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page, Route } from 'playwright-core';
import { type ChatWorld, chatWorld } from './chat-world.ts';

const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();

describe('an outage', () => {
  let world: ChatWorld;
  let provider: ChatWorld['provider'];
  beforeAll(async () => {
    world = await chatWorld();
    ({ provider } = world);
    provider.finish('Written once.');
  });

  it('does not double a message that was recorded without an answer and is sent again', async () => {
    const { page } = await world.openSignedIn();
    let isAway = true;
    await page.route('**/conversation', async (route) => {
      if (!isAway) return route.continue();
      // The server gets the request. The answer is lost.
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('textbox', { name: 'Message' }).fill('Only once');
    await send(page);
    await page.getByRole('alert').waitFor();
    isAway = false;
    await send(page);
    await page.getByRole('main').getByText('Written once.').waitFor();
    const titles: string[] = [];
    for await (const { title } of world.parlance.conversations.list()) titles.push(title);
    expect(titles).toHaveLength(1);
  });

  it('keeps the page when a part of it cannot be loaded, and says what to do', async () => {
    const { page } = await world.openSignedIn();
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('Not sent yet');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Notifications' }).click();
    await page.getByText('Part of this page could not be loaded. Save your work, then load the page again.').waitFor();
    expect(await field.inputValue()).toBe('Not sent yet');
    await page.context().setOffline(false);
    await page.reload();
    await page.getByRole('button', { name: 'Notifications' }).click();
    await page.getByRole('dialog', { name: 'Notifications' }).waitFor();
  });

  it('loses nothing that is typed while a message is being sent', async () => {
    const { page } = await world.openSignedIn();
    const field = page.getByRole('textbox', { name: 'Message' });
    const held: Route[] = [];
    // The client retries the message a few times.
    let isAway = false;
    await page.route('**/conversation', (route) => (isAway ? route.abort() : void held.push(route)));
    const sendWith = async (text: string, newer: string, isSent: boolean) => {
      await field.fill(text);
      await send(page);
      await waitFor(() => held.length > 0);
      await field.fill(newer);
      await page.locator('input[type=file]').setInputFiles({ name: `${newer}.txt`, mimeType: 'text/plain', buffer: Buffer.from(newer) });
      const route = held.pop()!;
      isAway = !isSent;
      await (isSent ? route.continue() : route.abort());
    };
    await sendWith('First', 'Second', false);
    await page.getByRole('alert').waitFor();
    expect(await field.inputValue()).toBe('First\n\nSecond');
    await page.getByRole('button', { name: 'Remove Second.txt' }).click();
    isAway = false;
    await sendWith('First', 'Second', true);
    await page.waitForURL(/\/app\/c\//);
    await page.getByRole('main').getByText('Written once.').waitFor();
    // The text belongs to the new chat. Typing continues at its end.
    await waitFor(async () => (await field.inputValue()) === 'Second');
    await page.getByRole('list', { name: 'Attached files' }).getByText('Second.txt').waitFor();
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type(' one');
    expect(await field.inputValue()).toBe('Second one');
    await page.getByRole('link', { name: 'New chat' }).click();
    await page.waitForURL(/\/app\/$/);
    await page.getByRole('heading', { level: 1, name: 'What can I help with?' }).waitFor();
    expect(await field.inputValue()).toBe('');
  });

  it('begins one chat, and keeps text and files that are added before its page opens', async () => {
    const { page } = await world.openSignedIn();
    const field = page.getByRole('textbox', { name: 'Message' });
    const files = page.getByRole('list', { name: 'Attached files' });
    const held: Route[] = [];
    await page.route('**/assets/chat-page-*.js', (route) => void held.push(route));
    let messages = 0;
    page.on('request', (request) => void (request.method() === 'POST' && request.url().endsWith('/conversation') && messages++));
    await field.fill('The first one');
    await send(page);
    await waitFor(() => held.length > 0);
    const attach = (name: string) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
    await attach('removed.txt');
    await attach('late.txt');
    await page.getByRole('button', { name: 'Remove removed.txt' }).click();
    await field.fill('Next');
    await field.press('Enter');
    await field.press('End');
    await page.keyboard.type(' one');
    for (const route of held.splice(0)) await route.continue();
    await page.waitForURL(/\/app\/c\//);
    await page.getByRole('main').getByText('Written once.').waitFor();
    await waitFor(async () => (await field.inputValue()) === 'Next one');
    expect([await files.getByRole('listitem').count(), await files.getByText('late.txt').count(), messages]).toEqual([1, 1, 1]);
    // The field of the chat sends the next message.
    await send(page);
    await waitFor(() => messages === 2);
    await page.getByRole('article').filter({ hasText: 'Next one' }).waitFor();
  });

  it('sends nothing while the files of the previous message are read', async () => {
    const { page } = await world.openSignedIn();
    const field = page.getByRole('textbox', { name: 'Message' });
    await page.evaluate(`{
      const read = FileReader.prototype.readAsDataURL;
      FileReader.prototype.readAsDataURL = function (file) { globalThis.goOn = () => read.call(this, file); };
    }`);
    let messages = 0;
    page.on('request', (request) => void (request.method() === 'POST' && request.url().endsWith('/conversation') && messages++));
    await page.locator('input[type=file]').setInputFiles({ name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.from('Large.') });
    await field.fill('With a file');
    await field.press('Enter');
    await waitFor(() => page.evaluate<boolean>('goOn !== undefined').catch(() => false));
    await field.fill('Too early');
    await field.press('Enter');
    await page.evaluate('goOn()');
    await page.waitForURL(/\/app\/c\//);
    await page.getByRole('main').getByText('Written once.').waitFor();
    await waitFor(async () => (await field.inputValue()) === 'Too early');
    expect(messages).toBe(1);
  });

  it('does not lead away from the page that was opened while a message was being sent', async () => {
    const { page } = await world.openSignedIn();
    const held: Route[] = [];
    await page.route('**/conversation', (route) => void held.push(route));
    await page.getByRole('textbox', { name: 'Message' }).fill('Sent slowly');
    await send(page);
    await waitFor(() => held.length > 0);
    await page.getByRole('link', { name: 'Store', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Store' }).waitFor();
    await held.pop()!.continue();
    await page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: 'Sent slowly' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/store');
  });

  it('keeps the draft of a page that was left and opened again while a message was being sent', async () => {
    const { page } = await world.openSignedIn();
    const field = page.getByRole('textbox', { name: 'Message' });
    const held: Route[] = [];
    await page.route('**/conversation', (route) => void held.push(route));
    await field.fill('Sent and left');
    await send(page);
    await waitFor(() => held.length > 0);
    await page.getByRole('link', { name: 'Store', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Store' }).waitFor();
    await page.getByRole('link', { name: 'New chat' }).click();
    // It is not yet known whether the message was sent.
    await waitFor(async () => (await field.inputValue()) === 'Sent and left');
    await field.fill('Another one');
    await held.pop()!.continue();
    await page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: 'Sent and left' }).waitFor();
    expect([new URL(page.url()).pathname, await field.inputValue()]).toEqual(['/app/', 'Another one']);
    await page.reload();
    await waitFor(async () => (await field.inputValue()) === 'Another one');
  });

  it('shows a deployment that began without an answer', async () => {
    const { id } = await world.parlance.bots.create({ title: 'Published' });
    await world.parlance.bots.share(id, { target_shared_scope: 'all' });
    const { page } = await world.openSignedIn();
    await page.route(`**/bot/${id}/publication`, async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.goto(`/app/bots/${id}/publish`);
    await page.getByLabel('Allowed origins').fill('*');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  it('does not show a masked key as the real one when the first answer was lost', async () => {
    const { id } = await world.parlance.bots.create({ title: 'With keys' });
    await world.parlance.bots.share(id, { target_shared_scope: 'all' });
    await world.parlance.bots.publish(id, { allowed_origins: ['*'] });
    const { page } = await world.openSignedIn();
    let isFirst = true;
    await page.route('**/api-key', async (route) => {
      if (route.request().method() !== 'POST' || !isFirst) return route.continue();
      isFirst = false;
      await route.fetch();
      await route.abort();
    });
    await page.goto(`/app/bots/${id}/publish`);
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description').fill('For the website');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await dialog.getByText('The response with the secret was lost').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('row', { name: /For the website prl_/ }).waitFor();
  });

  it('keeps the console when a page cannot be loaded, and loads the page afterwards', async () => {
    const { page } = await world.openSignedIn();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Store', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'The server did not answer' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Store' }).waitFor();
  });

  it('reloads the console when the file of a page is missing, as after an upgrade', async () => {
    const { page } = await world.openSignedIn();
    let requests = 0;
    await page.route('**/assets/store-page-*.js', (route) => (++requests > 1 ? route.continue() : route.fulfill({ status: 404 })));
    const loaded = page.waitForEvent('load');
    await page.getByRole('link', { name: 'Store', exact: true }).click();
    await loaded;
    await page.getByRole('heading', { level: 1, name: 'Store' }).waitFor();
    expect(requests).toBeGreaterThan(1);
  });

  it('shows a page by itself when a part of the server is available again', async () => {
    const { page } = await world.openSignedIn();
    let isAway = true;
    const problem = {
      status: 503,
      contentType: 'application/problem+json',
      body: '{"code":"service_unavailable","detail":"Unavailable."}',
    };
    await page.route('**/store/**', (route) => (isAway ? route.fulfill(problem) : route.continue()));
    await page.goto('/app/store');
    await page.getByText('The page tries again by itself.').first().waitFor();
    isAway = false;
    await page.getByText('The page tries again by itself.').first().waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Store' }).waitFor();
  });

  it('shows a page whose user could not be read after a retry', async () => {
    const { page } = await world.openSignedIn();
    await page.route('**/user/me', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').waitFor();
    await page.unroute('**/user/me');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
  });
});
