import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { ask, type ChatWorld, chatWorld, composerOf, textIn } from './chat-world.ts';
import { expectAccessible, PHONE } from './console-world.ts';

describe('a chat', () => {
  let world: ChatWorld;
  let provider: ChatWorld['provider'];
  beforeAll(async () => {
    world = await chatWorld();
    ({ provider } = world);
  });

  it('streams a reply, and continues it after a reload and after a kill of the server', async () => {
    const { page, reported } = await world.openSignedIn();
    await ask(page, 'How is the weather?');
    await waitFor(() => provider.begun === 1);
    provider.say('It rains ');
    await textIn(page, 'It rains').waitFor();
    await page.waitForURL(/\/app\/c\//);

    await page.reload();
    await textIn(page, 'It rains').waitFor();
    provider.say('in the north, ');
    await textIn(page, 'in the north').waitFor();

    await world.product.kill();
    await world.product.restart();
    // The restarted server takes over the reply and writes it again.
    await waitFor(() => provider.begun === 2);
    provider.finish('It is sunny everywhere.');
    await textIn(page, 'It is sunny everywhere.').waitFor();
    await page.getByRole('button', { name: 'Good reply' }).waitFor();
    await page.reload();
    await textIn(page, 'It is sunny everywhere.').waitFor();
    await expectAccessible(page);
    expect(reported).toEqual([]);
  });

  it('draws a long reply in pieces when it arrives all at once, so that the page is not blocked', async () => {
    const { page } = await world.openSignedIn();
    const begun = provider.begun;
    provider.goOn();
    await ask(page, 'Tell me everything');
    await waitFor(() => provider.begun > begun);
    provider.say(Array.from({ length: 2_000 }, (_, index) => `Paragraph ${index} of **many**.\n\n`).join(''));
    await textIn(page, 'Paragraph 1999 of many.').waitFor();
    await page.addInitScript(() => {
      const lengths: number[] = [];
      const note = () => lengths.push(document.querySelector('.markdown')?.textContent.length ?? 0);
      new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true });
      Object.assign(globalThis, { lengths });
    });
    await page.reload();
    await textIn(page, 'Paragraph 1999 of many.').waitFor();
    const lengths = await page.evaluate<number[]>('lengths');
    expect(Math.max(...lengths)).toBeGreaterThan(40_000);
    expect(Math.max(...lengths.map((length, index) => length - (lengths[index - 1] ?? 0)))).toBeLessThan(10_000);
    provider.finish('The end.');
  });

  it('stays the same chat for the next question, and shows another version of an edited one', async () => {
    const { page } = await world.openSignedIn();
    provider.finish('The first answer.');
    await ask(page, 'First question');
    await textIn(page, 'The first answer.').waitFor();
    const { pathname } = new URL(page.url());
    const readOfChat = Promise.withResolvers<void>();
    await page.route(`${world.product.url}/conversation/*`, (route) => readOfChat.promise.then(() => route.continue()));
    provider.finish('The second answer.');
    await ask(page, 'Second question');
    await textIn(page, 'The second answer.').waitFor();
    expect(new URL(page.url()).pathname).toBe(pathname);

    provider.finish('The third answer.');
    // The button of the second answer, which appears when the answer has ended, and can be pressed when the ID of the question is known.
    const again = page.getByRole('button', { name: 'Write another reply' }).nth(1);
    await again.waitFor();
    expect(await again.isDisabled()).toBe(true);
    readOfChat.resolve();
    await again.click();
    await textIn(page, 'The third answer.').waitFor();
    await page.getByText('2/2').waitFor();
    await page.getByRole('button', { name: 'Earlier version' }).click();
    await textIn(page, 'The second answer.').waitFor();
  });

  it('shows formulas on lines of their own, has one header on phones, and keeps its field in view while the browser is offline', async () => {
    const { page } = await world.openSignedIn(PHONE);
    provider.finish('The area:\n\n$$\\pi r^2$$\n\nof a circle.');
    await ask(page, 'What is the area of a circle?');
    await page.locator('math[display=block]').waitFor();
    await page.getByRole('banner').getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('banner').count()).toBe(1);
    await page.context().setOffline(true);
    await page.getByText('No connection to the server').waitFor();
    const { y, height } = (await page.getByRole('button', { name: 'Send', exact: true }).boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(PHONE.viewport.height);
    await page.context().setOffline(false);
    await page.getByText('No connection to the server').waitFor({ state: 'detached' });
  });

  it('is temporary if the user chooses that at the start, even after its first message is edited, and appears in no list', async () => {
    const { page } = await world.openSignedIn();
    await page.getByRole('button', { name: 'Temporary' }).press('Space');
    await page.getByText('deleted 24 hours after its last message. Until then, administrators can see it').waitFor();
    await expectAccessible(page);
    provider.finish('Not for long.');
    await ask(page, 'How long is this kept?');
    await textIn(page, 'Not for long.').waitFor();
    await page.waitForURL(/\/app\/c\//);
    await page.reload();
    const mark = page.getByRole('main').getByText('Temporary', { exact: true });
    await mark.waitFor();
    await expectAccessible(page);
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Actions for/ })
      .press('Enter');
    await page.getByRole('menuitem', { name: 'Share' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /Pin|folder/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    const idOf = () => new URL(page.url()).pathname.split('/').at(-1)!;
    const first = idOf();
    provider.finish('Not for long either.');
    await page.getByRole('button', { name: 'Edit the message' }).click();
    const field = page.getByRole('textbox', { name: 'Edit the message' });
    await field.fill('How long is another chat kept?');
    await page.keyboard.press('Enter');
    await textIn(page, 'Not for long either.').waitFor();
    await mark.waitFor();
    expect(idOf()).not.toBe(first);
    const listed: string[] = [];
    for await (const { conversation_id } of world.parlance.conversations.list()) listed.push(conversation_id);
    expect(listed).not.toContain(first);
    expect(listed).not.toContain(idOf());
  });

  it('keeps a draft that was not sent', async () => {
    const { page } = await world.openSignedIn();
    await composerOf(page).fill('Not sent yet');
    await page.goto('/app/store');
    await page.goto('/app/');
    await waitFor(async () => (await composerOf(page).inputValue()) === 'Not sent yet');
  });

  it('loads no image and follows no link that a model has written', async () => {
    const { page } = await world.openSignedIn();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    provider.finish('See ![chart](https://images.example.org/a.png) and [this](https://example.org/x).');
    await ask(page, 'Show a chart');
    await page.getByRole('link', { name: /this/ }).waitFor();
    expect(requests.filter((url) => !url.startsWith(world.product.url))).toEqual([]);
    await expectAccessible(page);
  });

  it('shows that the connection is lost, and continues when it is back, without the parts that could not be loaded', async () => {
    const { page } = await world.openSignedIn();
    await page.route(/\/assets\/(dictation|bell|bot-shelf)-/, (route) => route.abort());
    await page.reload();
    await composerOf(page).waitFor();
    await page.context().setOffline(true);
    await page.getByText('No connection to the server').waitFor();
    await page.context().setOffline(false);
    await page.getByText('No connection to the server').waitFor({ state: 'detached' });
    provider.finish('Back again.');
    await ask(page, 'Are you there?');
    await textIn(page, 'Back again.').waitFor();
  });

  it('is deleted with a receipt', async () => {
    const { page } = await world.openSignedIn();
    provider.finish('To be deleted.');
    await ask(page, 'Delete me');
    await textIn(page, 'To be deleted.').waitFor();
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Its encryption key was destroyed.').waitFor();
  });

  it('that was deleted elsewhere refuses the next message, which is kept', async () => {
    const { page } = await world.openSignedIn();
    provider.finish('Still here.');
    await ask(page, 'Delete me elsewhere');
    await textIn(page, 'Still here.').waitFor();
    await world.parlance.conversations.delete(new URL(page.url()).pathname.split('/').at(-1)!);
    await ask(page, 'Not lost');
    await page.getByText('There is no such chat').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'New chat' }).click();
    await waitFor(async () => (await composerOf(page).inputValue()) === 'Not lost');
  });

  it('starts with a bot that is chosen by @ and the keyboard, and takes the text along', async () => {
    const title = `Ledger ${world.id}`;
    const { id } = await world.parlance.bots.create({ title, description: 'Knows every account.' });
    const { page, reported } = await world.openSignedIn();
    const bots = page.getByRole('listbox', { name: 'Bots to chat with' });
    await composerOf(page).pressSequentially('What is open? @ledg');
    await bots.getByRole('option', { name: title, selected: true }).getByText('Knows every account.').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await bots.waitFor({ state: 'detached' });
    await composerOf(page).pressSequentially('er');
    expect(await bots.count()).toBe(0);
    await page.getByRole('button', { name: 'Choose a bot' }).press('Enter');
    await page.keyboard.type('ledger');
    await bots.getByRole('option', { name: title, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/app/?bot=${id}`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await composerOf(page).inputValue()).toBe('What is open? @ledger ');

    provider.finish('Nothing.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await textIn(page, 'Nothing.').waitFor();
    expect(reported).toEqual([]);
  });

  it('gets the text of a prompt that is chosen by / and filled in', async () => {
    const text = 'Write a {{tone|warm|dry}} mail to {{name}}.';
    await world.parlance.api.post('/prompts', { body: { title: `Mail ${world.id}`, command: 'mail', text } });
    const { page, reported } = await world.openSignedIn();
    const prompts = page.getByRole('listbox', { name: 'Prompts' });
    await composerOf(page).pressSequentially('Hello.');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('/ma');
    await prompts.getByRole('option', { name: `Mail ${world.id}`, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Mail ${world.id}` });
    await dialog.getByLabel('name').fill('Ada');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await composerOf(page).inputValue()).toBe('Hello.\nWrite a warm mail to Ada.');
    await page.keyboard.type(' Thanks');
    expect(await composerOf(page).inputValue()).toBe('Hello.\nWrite a warm mail to Ada. Thanks');

    // A path is sent as it is.
    await composerOf(page).fill('');
    await page.keyboard.type('/usr/bin');
    expect(await prompts.count()).toBe(0);
    expect(reported).toEqual([]);
  });

  it('offers the starred, used and pinned bots on the page of a new chat and in the navigation, with at most seven requests', async () => {
    const { id: starred } = await world.parlance.bots.create({ title: `Never used ${world.id}`, icon: 'leaf', colour: 'green' });
    await world.parlance.api.patch('/bot/{botId}/starred', { path: { botId: starred }, body: { starred: true } });
    const { page, reported } = await world.openSignedIn();
    // Otherwise the last requests of this page are counted with those of the next one.
    await page.waitForLoadState('networkidle');
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (!pathname.startsWith('/app/')) requests.push(pathname + search);
    });
    await page.reload();
    const own = page.getByRole('main').getByRole('region', { name: 'Your bots' });
    await own.getByRole('link', { name: /^Ledger/ }).waitFor();
    await own.getByRole('link', { name: `Never used ${world.id} Starred` }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(requests).toEqual([...new Set(requests)]);
    expect(requests.length).toBeLessThanOrEqual(7);
    await page.getByRole('button', { name: 'Show your bots' }).press('Enter');
    const listed = page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: /^Ledger/ });
    await listed.waitFor();
    await expectAccessible(page);
    await page.reload();
    await listed.click();
    await page.getByRole('heading', { level: 1, name: /^Ledger/ }).waitFor();
    expect(reported).toEqual([]);
  });

  it('leads users without bots to the store', async () => {
    const { page, reported } = await world.openSignedIn(PHONE);
    await page.route(/\/bot\/shelf/, (route) => route.fulfill({ json: { bots: [] } }));
    await page.reload();
    await page.getByText('Bots that you star or use appear here.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Find a bot in the store' }).click();
    await page.getByRole('heading', { level: 1, name: 'Store' }).waitFor();
    expect(reported).toEqual([]);
  });

  it('says that the bots are not ready while the index of the store is being built, and then shows them', async () => {
    const { page, reported } = await world.openSignedIn();
    const isIndex = /\/(bot\/(shelf|pinned)|store\/(popular|pickup))/;
    const problem = { code: 'store_index_building', detail: 'The store is being indexed. Try again in a few seconds.' };
    await page.route(isIndex, (route) => route.fulfill({ status: 503, json: problem }));
    await page.reload();
    const own = page.getByRole('main').getByRole('region', { name: 'Your bots' });
    const preparing = 'The bots are still being prepared. They appear here as soon as they are ready.';
    await own.getByText(preparing).waitFor();
    await page.getByRole('button', { name: 'Show your bots' }).press('Enter');
    await page.getByRole('navigation', { name: 'Chats' }).getByText(preparing).waitFor();
    await expectAccessible(page);
    await page.unroute(isIndex);
    await own.getByRole('link', { name: /^Ledger/ }).waitFor();

    await page.route(isIndex, (route) => route.fulfill({ status: 503, json: problem }));
    await page.goto('/app/store');
    await page.getByText(preparing).first().waitFor();
    await page.unroute(isIndex);
    await page.getByText(preparing).first().waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(reported).toEqual([]);
  });

  it('fits a phone, and needs only the keyboard', async () => {
    const { page } = await world.openSignedIn(PHONE);
    provider.finish('By keyboard.');
    await composerOf(page).focus();
    await page.keyboard.type('Only keys');
    await page.keyboard.press('Enter');
    await textIn(page, 'By keyboard.').waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await expectAccessible(page);
  });
});
