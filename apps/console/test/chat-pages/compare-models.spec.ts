import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Locator, Page } from 'playwright-core';
import { ask, type ChatWorld, chatWorld, composerOf, textIn } from '../chat-world.ts';
import { atEnd, expectAccessible, PHONE } from '../console-world.ts';
import { type StreamingProvider, streamingProvider } from '../streaming-provider.ts';

const [FIRST, SECOND] = ['Scripted model', 'Quick model'] as const;
const CHOOSE_FIRST = 'Choose a reply above before you send the next message.';

/** A second model, whose server ends each reply at once. Other spec files do not see it. */
async function addModel({ parlance }: ChatWorld): Promise<StreamingProvider> {
  const provider = await streamingProvider();
  atEnd(() => provider.stop());
  provider.finish('I am quick.');
  const { api } = parlance;
  await api.post('/admin/providers', { body: { id: 'quick', type: 'openai_compatible', base_url: provider.baseUrl, api_key: 'none' } });
  atEnd(() => api.delete('/admin/providers/{providerId}', { path: { providerId: 'quick' } }));
  const model = { id: 'quick', name: SECOND, provider: 'quick', model: 'quick', context_window: 8_000 };
  await api.post('/admin/models', { body: model });
  atEnd(() => api.delete('/admin/models/{modelId}', { path: { modelId: 'quick' } }));
  return provider;
}

describe('a question to two models', () => {
  let world: ChatWorld;
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await chatWorld();
    await addModel(world);
  });
  beforeEach(() => world.provider.goOn());

  const columnOf = (model: string): Locator =>
    page.getByRole('region', { name: 'Comparison of models' }).getByRole('listitem').filter({ hasText: model });
  const buttonOf = (action: string, model: string): Locator => page.getByRole('button', { name: `${action} by ${model}` });
  const messages = async () => Object.values((await world.parlance.conversations.get(page.url().split('/').at(-1)!)).message_map);

  /** Chooses both models with the keyboard. */
  async function chooseBoth(): Promise<void> {
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Model: / })
      .press('Enter');
    const menu = page.getByRole('dialog', { name: 'Model' });
    await menu.getByRole('option', { name: FIRST, selected: true }).waitFor();
    await menu.getByRole('switch', { name: 'Compare models' }).press('Space');
    await menu.getByRole('searchbox').focus();
    await page.keyboard.type('Quick');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await menu.getByText('2 chosen').waitFor();
    await expectAccessible(page);
    await menu.getByRole('button', { name: 'Done' }).press('Enter');
    await menu.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Model: ${FIRST}, ${SECOND}` }).waitFor();
  }

  it('is sent once, shows both replies side by side, and goes on with the chosen one', async () => {
    const { provider } = world;
    ({ page, reported } = await world.openSignedIn({ colorScheme: 'dark' }));
    const begun = provider.begun;
    const read: string[] = [];
    page.on('request', (request) => request.method() === 'GET' && read.push(new URL(request.url()).pathname));
    await chooseBoth();
    await ask(page, 'Which of you is better?');
    await waitFor(() => provider.begun === begun + 1);
    provider.say('I am ');
    await columnOf(FIRST).getByText('I am').waitFor();
    // The other model ends first.
    await columnOf(SECOND)
      .getByText(/\d+ tokens in, \d+ out/)
      .waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: `${SECOND}: The reply has ended.` })
      .waitFor();
    await buttonOf('Stop the reply', FIRST).waitFor();
    expect(await buttonOf('Stop the reply', SECOND).count()).toBe(0);
    await composerOf(page).fill('Go on');
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('status').filter({ hasText: CHOOSE_FIRST }).waitFor();
    expect(await page.evaluate<string>('document.activeElement.ariaDescribedByElements[0].textContent')).toBe(CHOOSE_FIRST);
    await expectAccessible(page);
    const [one, other] = [(await columnOf(FIRST).boundingBox())!, (await columnOf(SECOND).boundingBox())!];
    expect([one.y, one.x + one.width <= other.x]).toEqual([other.y, true]);

    provider.end('the better one.');
    await columnOf(FIRST).getByText('I am the better one.').waitFor();
    await columnOf(FIRST).getByText('20 tokens in, 10 out · $').waitFor();
    // The figures of both replies were received with the replies.
    expect(read.filter((path) => path.endsWith('/provenance'))).toHaveLength(2);
    expect(read.filter((path) => path.endsWith('/stream'))).toEqual([]);
    expect((await messages()).filter(({ role }) => role === 'user')).toHaveLength(1);

    await buttonOf('Continue with this reply', SECOND).press('Enter');
    await page.getByText('2/2').waitFor();
    await composerOf(page).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: `Model: ${SECOND}` }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('button', { name: 'Good reply' }).nth(1).waitFor();
    const stored = await messages();
    const question = stored.find(({ parent }) => parent === null)!;
    const chosen = stored.find(({ parent, model }) => parent === question.message_id && model === 'quick')!;
    expect(stored.filter(({ parent }) => parent === question.message_id)).toHaveLength(2);
    expect(stored.find(({ role, parent }) => role === 'user' && parent !== null)?.parent).toBe(chosen.message_id);

    await page.getByRole('button', { name: 'Earlier version' }).click();
    await textIn(page, 'I am the better one.').waitFor();
    expect(reported).toEqual([]);
  });

  it('on a phone, has the replies below each other, of which one is stopped, and has versions after a reload', async () => {
    const { provider } = world;
    ({ page, reported } = await world.openSignedIn(PHONE));
    const begun = provider.begun;
    await chooseBoth();
    await ask(page, 'Who is faster?');
    await waitFor(() => provider.begun === begun + 1);
    provider.say('Not me');
    await columnOf(FIRST).getByText('Not me').waitFor();
    await buttonOf('Continue with this reply', SECOND).waitFor();
    const [one, other] = [(await columnOf(FIRST).boundingBox())!, (await columnOf(SECOND).boundingBox())!];
    expect([one.x, one.y + one.height <= other.y]).toEqual([other.x, true]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await expectAccessible(page);

    await page.reload();
    await page.getByText('2/2').waitFor();
    await page.getByRole('button', { name: 'Earlier version' }).click();
    await textIn(page, 'Not me').waitFor();
    provider.say(', sorry');
    await textIn(page, 'Not me, sorry').waitFor();
    await page.getByRole('button', { name: 'Stop the reply' }).click();
    await textIn(page, 'You stopped this reply.').waitFor();
    expect(reported).toEqual([]);
  });

  it('shows why one reply failed, tries it again, and stops it', async () => {
    const { provider } = world;
    ({ page, reported } = await world.openSignedIn());
    const begun = provider.begun;
    provider.requireKey('another key');
    await chooseBoth();
    await ask(page, 'Who works?');
    await columnOf(SECOND)
      .getByText(/tokens in/)
      .waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: `${FIRST}: The reply failed.` })
      .waitFor();
    await expectAccessible(page);
    provider.requireKey('none');
    await columnOf(FIRST).getByRole('button', { name: 'Try again' }).click();
    await columnOf(FIRST).and(page.locator(':focus')).waitFor();
    await waitFor(() => provider.begun === begun + 1);
    provider.say('Now I do');
    await columnOf(FIRST).getByText('Now I do').waitFor();
    await buttonOf('Stop the reply', FIRST).press('Enter');
    await columnOf(FIRST).getByText('You stopped this reply.').waitFor();
    await columnOf(FIRST).and(page.locator(':focus')).waitFor();
    await waitFor(() => provider.open === 0);
    await buttonOf('Continue with this reply', FIRST).press('Enter');
    await textIn(page, 'Now I do').waitFor();
    await page.getByText('3/3').waitFor();
    expect(reported).toEqual([]);
  });
});
