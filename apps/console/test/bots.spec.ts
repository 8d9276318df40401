import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ask } from './chat-world.ts';
import { LINES } from '../src/pages/bots/icon/lines.ts';
import { type ConsoleWorld, consoleWorld, DESKTOP, expectAccessible, PHONE } from './console-world.ts';

const PICTURE = fileURLToPath(new URL('../../../docs/images/bot.png', import.meta.url));
const HANDBOOK = fileURLToPath(new URL('../../../docs/tutorial/handbook.pdf', import.meta.url));

describe('a bot, from its files to its published API', () => {
  let world: ConsoleWorld;
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await consoleWorld();
    ({ page, reported } = await world.openSignedIn());
  });

  it('is created from a PDF', async () => {
    await page.goto('/app/bots/new');
    await page.getByRole('textbox', { name: 'Title' }).fill('Handbook');
    await page.getByRole('button', { name: 'Create the bot' }).click();
    await page.getByRole('heading', { level: 1, name: 'Handbook' }).waitFor();
    await page.getByRole('link', { name: 'Knowledge', exact: true }).click();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Choose files' }).click()]);
    await chooser.setFiles(HANDBOOK);
    await page.getByText('All sources have been read.').waitFor();
  });

  it('shows the passages that are found for a question, by rank alone', async () => {
    await page.getByRole('textbox', { name: 'Question' }).fill('How many days of leave are there in the first year?');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const first = page.getByRole('list', { name: 'Passages found' }).getByRole('listitem').first();
    await first.getByText(/^1\. handbook\.pdf/).waitFor();
    expect(await first.getByText(/Score/).count()).toBe(0);
  });

  it('asks before running uploads are lost', async () => {
    // The server never gets the file, so its upload runs until it is stopped.
    await page.route(
      () => true,
      async (route) => (route.request().method() === 'PUT' ? undefined : route.fallback()),
    );
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Choose files' }).click()]);
    await chooser.setFiles({ name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.from('Large.') });
    await page.getByText('Uploading').waitFor();
    await page.getByRole('link', { name: 'Store', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Stop the uploads?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Uploading').waitFor();

    const [warning] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
    expect(warning.type()).toBe('beforeunload');
    await warning.dismiss();

    await page.getByRole('link', { name: 'Store', exact: true }).click();
    await question.getByRole('button', { name: 'Stop the uploads' }).click();
    await page.getByRole('heading', { level: 1, name: 'Store' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goBack();
    await page.getByText('All sources have been read.').waitFor();
  });

  it('is a card on phones, with all of it in view', async () => {
    await page.setViewportSize(PHONE.viewport);
    await page.goto('/app/bots');
    const { x, width } = (await page.getByRole('link', { name: 'Chat with Handbook' }).boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(PHONE.viewport.width);
    await page.setViewportSize(DESKTOP.viewport);
    await page.getByRole('link', { name: 'Handbook', exact: true }).click();
  });

  it('answers from the PDF, and shows the page of its source', async () => {
    await page.getByRole('link', { name: 'Chat with it' }).click();
    await ask(page, 'How many days of leave are there in the first year?');
    // The text is rendered again at the end of the reply, and when its formatting is loaded. This closes an open source.
    await page.getByRole('button', { name: 'Good reply' }).waitFor();
    const reply = page.locator('article .markdown').last();
    await reply
      .getByRole('button', { name: /handbook\.pdf/ })
      .first()
      .click();
    // The list of sources names pages too, and Escape closes only what is open.
    const source = page.getByRole('dialog');
    await source.getByText(/page \d/).waitFor();
    await page.keyboard.press('Escape');
    await source.waitFor({ state: 'hidden' });
  });

  it('gets an icon and a colour by the keyboard, which its lists, chats and the store show', async () => {
    await page.goto('/app/bots');
    await page.getByRole('main').getByRole('link', { name: 'Handbook' }).first().click();
    await page.getByRole('button', { name: 'Change the icon and colour' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Icon and colour' });
    await dialog.getByRole('radio', { name: 'Default', checked: true }).waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await dialog.getByRole('radio', { name: 'Red', checked: true }).waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await dialog.getByRole('radio', { name: 'Book', checked: true }).waitFor({ state: 'attached' });
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changes saved.').waitFor();

    const botId = /bots\/(\w+)\/edit/.exec(page.url())![1]!;
    for (const path of ['/app/bots', '/app/store', `/app/store/${botId}`, `/app/?bot=${botId}`]) {
      await page.goto(path);
      await page.getByRole('main').locator(`path[d="${LINES.book}"]`).first().waitFor();
    }
    expect(reported).toEqual([]);
  });

  it('gets a picture, which its lists, chats and the store show instead of the icon, and loses it', async () => {
    const botId = /bot=(\w+)/.exec(page.url())![1]!;
    const edit = `/app/bots/${botId}/edit`;
    const dialog = page.getByRole('dialog', { name: 'Icon and colour' });
    const open = async () => {
      await page.goto(edit);
      await page.getByRole('button', { name: 'Change the icon and colour' }).click();
    };
    const choose = async (file: string | { name: string; mimeType: string; buffer: Buffer }) => {
      const button = dialog.getByRole('button', { name: 'Upload picture' });
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()]);
      await chooser.setFiles(file);
    };
    await open();
    await choose({ name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('Not an image.') });
    await dialog.getByText('The browser cannot read this image.').waitFor();
    await choose(PICTURE);
    await dialog.getByRole('button', { name: 'Remove picture' }).waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await expectAccessible(page);
    const picture = page.getByRole('main').locator('span[aria-hidden] > img[src^="data:image/"]').first();
    for (const path of [edit, '/app/bots', '/app/store', `/app/store/${botId}`, `/app/?bot=${botId}`]) {
      await page.goto(path);
      await picture.waitFor();
    }
    const sides = await picture.evaluate((image) => [(image as HTMLImageElement).naturalWidth, (image as HTMLImageElement).naturalHeight]);
    expect(sides).toEqual([128, 128]);

    const icon = page.getByRole('main').locator(`path[d="${LINES.book}"]`).first();
    await page.route('**/bot/*/picture/*', (route) => route.fulfill({ contentType: 'image/webp', body: 'damaged' }));
    await page.goto('/app/bots');
    await icon.waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });

    await open();
    await dialog.getByRole('button', { name: 'Remove picture' }).click();
    await dialog.getByRole('button', { name: 'Remove picture' }).waitFor({ state: 'detached' });
    await page.goto(`/app/bots/${botId}/history`);
    await page.getByRole('button', { name: 'Compare' }).nth(1).click();
    await page.getByText('The picture is not the same.').waitFor();
    await page.goto('/app/bots');
    await icon.waitFor();
    expect(reported).toEqual([]);
  });

  it('asks before changes are lost', async () => {
    await page.getByRole('link', { name: 'Bots', exact: true }).first().click();
    await page.getByRole('main').getByRole('link', { name: 'Handbook' }).first().click();
    await page.getByRole('textbox', { name: 'Description' }).fill('Not saved');
    await page.getByRole('link', { name: 'Store', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changes saved.').waitFor();
  });

  it('names all users that it is shared with by one request', async () => {
    const people = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        world.parlance.api.post('/admin/users', {
          body: { email: `reader${index}-${world.id}@example.org`, first_name: 'Reader', last_name: `No${index}.` },
        }),
      ),
    );
    const { id: botId } = await world.parlance.bots.create({ title: 'Shared with many' });
    await world.parlance.api.patch('/bot/{botId}/visibility', {
      path: { botId },
      body: { target_shared_scope: 'partial', target_allowed_user_ids: people.map(({ user_id }) => user_id) },
    });
    const { page: other } = await world.openSignedIn();
    await other.goto(`/app/bots/${botId}/edit`);
    const requests: string[] = [];
    other.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await other.getByRole('button', { name: 'Share', exact: true }).click();
    for (const index of [0, 24]) await other.getByText(`Reader No${index}.`).waitFor();
    expect(requests.filter((path) => path.startsWith('/user/') && !path.startsWith('/user/me'))).toEqual(['/user/names']);
  });

  it('is shared, published, called by the snippet of the page, and refused when the key is deleted', async () => {
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('radio', { name: /All users/ }).click({ force: true });
    // Enter adds the found user or group, and saves nothing.
    await page.getByRole('dialog').getByLabel('Add a user or a group').fill('nobody is called this');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('No user or group starts with this.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Sharing changed.').waitFor();
    await page.getByRole('link', { name: 'Publish', exact: true }).click();
    await page.getByRole('textbox', { name: 'Allowed origins' }).fill('*');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('The API is live.').waitFor();

    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Description' }).fill('Spec');
    await page.getByRole('dialog').getByRole('button', { name: 'Create the key' }).click();
    const key = await page.getByRole('dialog', { name: 'Key created' }).getByRole('textbox', { name: 'Key' }).inputValue();
    await page.getByRole('button', { name: 'I have copied the key' }).click();
    await page
      .getByRole('radio', { name: 'JavaScript' })
      .or(page.getByRole('tab', { name: 'JavaScript' }))
      .first()
      .click({ force: true });
    const snippet = await page.getByRole('region', { name: /JavaScript/ }).innerText();
    const run = () =>
      spawnSync(process.execPath, ['--input-type=module', '-e', snippet.replaceAll('YOUR_API_KEY', key)], { encoding: 'utf8' });
    expect(run()).toMatchObject({ status: 0, stdout: expect.stringContaining('offline model') });

    await page.getByRole('button', { name: 'Delete Spec' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the key' }).click();
    await page.getByText('Servers no longer accept it.').waitFor();
    expect(run().stderr).toContain('"status":403');
    expect(reported).toEqual([]);
  });
});
