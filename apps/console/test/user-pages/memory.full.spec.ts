import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { ask, type ChatWorld, chatWorld, composerOf } from '../chat-world.ts';
import { DESKTOP, expectAccessible, PHONE } from '../console-world.ts';

describe('the memory of a user', () => {
  let world: ChatWorld;
  let provider: ChatWorld['provider'];
  beforeAll(async () => {
    world = await chatWorld();
    ({ provider } = world);
  });
  // Other spec files share the product.
  afterAll(async () => {
    await world.parlance.api.put('/user/me/memory', { body: { enabled: false } });
    await world.parlance.api.delete('/user/me/memories');
  });

  it('is turned on, and its entries are added, changed and removed', async () => {
    const { page, reported } = await world.openSignedIn();
    await page.goto('/app/account/memory');
    await page.getByText('Your memory is empty').waitFor();
    await page.getByRole('switch', { name: 'Use my memory' }).click({ force: true });
    await page.getByText('Memory turned on.').waitFor();
    await page.getByRole('button', { name: 'Add an entry' }).click();
    const adding = page.getByRole('dialog', { name: 'Add an entry' });
    await adding.getByLabel('Entry').fill('Works in Lisbon.');
    await expectAccessible(page);
    await adding.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Works in Lisbon.', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change: Works in Lisbon.' }).click();
    const changing = page.getByRole('dialog', { name: 'Change the entry' });
    await changing.getByLabel('Entry').fill('Works in Porto.');
    await changing.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Works in Porto.', exact: true }).waitFor();
    for (const looks of [{ ...DESKTOP, colorScheme: 'dark' } as const, { ...PHONE, colorScheme: 'light' } as const]) {
      await page.setViewportSize(looks.viewport);
      await page.emulateMedia({ colorScheme: looks.colorScheme });
      await expectAccessible(page);
    }
    await page.setViewportSize(DESKTOP.viewport);
    await page.getByRole('button', { name: 'Remove: Works in Porto.' }).click();
    await page.getByText('Your memory is empty').waitFor();
    expect(reported).toEqual([]);
  });

  it('shows characters of entries that are invisible', async () => {
    const { api } = world.parlance;
    await api.post('/user/me/memories', { body: { text: 'Sings.\u200b\u{e0041}' } });
    const { page, reported } = await world.openSignedIn();
    await page.goto('/app/account/memory');
    await page.getByRole('cell', { name: 'Sings.\\u{200b}\\u{e0041}', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Remove: Sings/ }).click();
    await page.getByText('Your memory is empty').waitFor();
    expect(reported).toEqual([]);
  });

  it('shows its first page after the last page lost its only entry', async () => {
    const { api } = world.parlance;
    for (let count = 0; count < 51; count++) await api.post('/user/me/memories', { body: { text: `Has read book ${count}.` } });
    const { page, reported } = await world.openSignedIn();
    await page.goto('/app/account/memory');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Remove: Has read book 0.' }).click();
    await page.getByRole('cell', { name: 'Has read book 50.', exact: true }).waitFor();
    expect(await page.getByText('Your memory is empty').count()).toBe(0);
    await api.delete('/user/me/memories');
    expect(reported).toEqual([]);
  });

  it('shows in a reply what the model has added, links to it, and undoes it', async () => {
    await world.parlance.api.put('/user/me/memory', { body: { enabled: true } });
    const { id: botId } = await world.parlance.bots.create({ title: 'Sums', tools: [{ name: 'calculator', approval: 'never' }] });
    const { page, reported } = await world.openSignedIn();
    const { begun } = provider;
    await page.goto(`/app/?bot=${botId}`);
    await ask(page, 'I sing in a choir.');
    await waitFor(() => provider.begun === begun + 1);
    provider.call('remember', { text: 'Sings in a choir.' });
    await waitFor(() => provider.begun === begun + 2);
    provider.end('Noted.');
    await page.getByText('Noted.').waitFor();
    await page.getByText('Added to your memory').waitFor();
    await expectAccessible(page);
    const chat = page.url();

    await page.goto('/app/account/memory');
    await page.getByRole('cell', { name: 'Sings in a choir.', exact: true }).waitFor();
    await page.getByRole('link', { name: 'A reply in a chat' }).click();
    await page.waitForURL(`${chat}?message=*`);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('No longer in your memory').waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'status');
    await page.reload();
    await page.getByText('No longer in your memory').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(reported).toEqual([]);
  });

  it('links to the reply that the model has added an entry in, also in another branch and before the newest messages', async () => {
    await world.parlance.api.put('/user/me/memory', { body: { enabled: true } });
    const { id: botId } = await world.parlance.bots.create({ title: 'Boats', tools: [{ name: 'calculator', approval: 'never' }] });
    const { page, reported } = await world.openSignedIn();
    const { begun } = provider;
    await page.goto(`/app/?bot=${botId}`);
    await ask(page, 'Where is the boat?');
    await waitFor(() => provider.begun === begun + 1);
    provider.end('In the harbour.');
    await page.getByText('In the harbour.').waitFor();
    await ask(page, 'I sail on Sundays.');
    await waitFor(() => provider.begun === begun + 2);
    provider.call('remember', { text: 'Sails on Sundays.' });
    await waitFor(() => provider.begun === begun + 3);
    provider.end('Written down.');
    await page.getByText('Written down.').waitFor();
    const conversation_id = new URL(page.url()).pathname.split('/').at(-1)!;
    const { message_map } = await world.parlance.conversations.get(conversation_id);
    const idOf = (text: string) => Object.values(message_map).find(({ content }) => JSON.stringify(content).includes(text))!.message_id;
    const follow = async (parent: string, text: string) => {
      const message = { content: [{ content_type: 'text' as const, body: text }], parent_message_id: parent };
      return (await world.parlance.conversations.ask({ conversation_id, bot_id: botId, message })).message.message_id;
    };
    provider.finish('It stays there.');
    let last = idOf('Written down.');
    // More than a page of messages.
    for (let count = 0; count < 30; count++) last = await follow(last, `Still there on day ${count}?`);
    await follow(idOf('In the harbour.'), 'In which one?');
    provider.goOn();

    await page.goto('/app/account/memory');
    await page.getByRole('row', { name: 'Sails on Sundays.' }).getByRole('link', { name: 'A reply in a chat' }).click();
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Written down.'));
    const [reply, list] = [page.locator(':focus'), page.getByRole('region', { name: 'Messages' })];
    const distance = (await reply.boundingBox())!.y - (await list.boundingBox())!.y;
    expect(Math.abs(distance)).toBeLessThan(100);
    await page.getByText('Still there on day 29?').waitFor();
    expect(reported).toEqual([]);
    await world.parlance.api.delete('/user/me/memories');
  });

  it('is turned off for a chat in its menu', async () => {
    await world.parlance.api.put('/user/me/memory', { body: { enabled: true } });
    await world.parlance.api.post('/user/me/memories', { body: { text: 'Has a dog.' } });
    const { page } = await world.openSignedIn();
    const { begun } = provider;
    await page.goto('/app/');
    await ask(page, 'With the memory?');
    await waitFor(() => provider.begun === begun + 1);
    expect(provider.lastRequest).toContain('Has a dog.');
    provider.end('Yes.');
    const header = page.getByRole('main');
    await header.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Turn off the memory' }).click();
    await page.getByText('Memory turned off for this chat.').waitFor();
    await ask(page, 'Without it?');
    await waitFor(() => provider.begun === begun + 2);
    expect(provider.lastRequest).not.toContain('Has a dog.');
    provider.end('No.');
    await page.getByText('No.').waitFor();
  });

  it('is left out of a chat from its first message, also after that message is edited', async () => {
    await world.parlance.api.put('/user/me/memory', { body: { enabled: true } });
    await world.parlance.api.post('/user/me/memories', { body: { text: 'Has a cat.' } });
    const { page, reported } = await world.openSignedIn();
    const { begun } = provider;
    await page.goto('/app/');
    await composerOf(page).fill('From');
    await page.getByRole('button', { name: 'Without memory', pressed: false }).click();
    await page.getByText('In this chat, models see no entries of your memory').waitFor();
    await expectAccessible(page);
    await ask(page, 'From the start?');
    await waitFor(() => provider.begun === begun + 1);
    expect(provider.lastRequest).not.toContain('Has a cat.');
    provider.end('Right.');
    await page.getByText('Right.').waitFor();
    const chat = page.url();

    await page.getByRole('button', { name: 'Edit the message' }).click();
    const field = page.getByRole('textbox', { name: 'Edit the message' });
    await field.fill('From the very start?');
    await field.press('Enter');
    await waitFor(() => provider.begun === begun + 2);
    expect(provider.lastRequest).not.toContain('Has a cat.');
    provider.end('Still right.');
    await page.getByText('Still right.').waitFor();
    expect(page.url()).not.toBe(chat);

    await ask(page, 'Later too?');
    await waitFor(() => provider.begun === begun + 3);
    expect(provider.lastRequest).not.toContain('Has a cat.');
    provider.end('Later too.');
    await page.getByText('Later too.', { exact: true }).waitFor();
    expect(reported).toEqual([]);
  });

  it('stays left out when the page is loaded again, and when a bot is chosen for the message or in its chat', async () => {
    const { id } = await world.parlance.bots.create({ title: 'Lighthouse' });
    const { page, reported } = await world.openSignedIn();
    const { begun } = provider;
    await page.goto('/app/');
    await composerOf(page).fill('Is it lit? ');
    await page.getByRole('button', { name: 'Without memory' }).click();
    await page.getByRole('button', { name: 'Temporary' }).click();
    await page.reload();
    const chosen = async () => {
      await page.getByRole('button', { name: 'Without memory', pressed: true }).waitFor();
      await page.getByRole('button', { name: 'Temporary', pressed: true }).waitFor();
    };
    await chosen();
    const chooseBot = async () => {
      await page.getByRole('button', { name: 'Choose a bot' }).press('Enter');
      await page.keyboard.type('lighthouse');
      await page.getByRole('option', { name: 'Lighthouse', selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/app/?bot=${id}`);
      await chosen();
    };
    await chooseBot();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await waitFor(() => provider.begun === begun + 1);
    expect(provider.lastRequest).not.toContain('Has a cat.');
    provider.end('It is.');
    await page.getByText('It is.').waitFor();
    await chooseBot();
    await page.goto('/app/store');
    await page.goto(`/app/?bot=${id}`);
    await chosen();
    await page.goto('/app/');
    await page.getByRole('button', { name: 'Temporary', pressed: false }).waitFor();
    expect(reported).toEqual([]);
  });
});
