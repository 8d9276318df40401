import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { ask, type ChatWorld, chatWorld, composerOf, textIn } from '../chat-world.ts';
import { expectAccessible } from '../console-world.ts';

describe('a reply that is being written', () => {
  let world: ChatWorld;
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await chatWorld();
    ({ page, reported } = await world.openSignedIn());
  });

  const stored = async () => {
    const { message_map, last_message_id } = await world.parlance.conversations.get(new URL(page.url()).pathname.split('/').at(-1)!);
    return message_map[last_message_id]!;
  };

  it('is stopped, keeps its text, and ends at the provider', async () => {
    const { provider } = world;
    await ask(page, 'Count to ten');
    await waitFor(() => provider.open === 1);
    provider.say('One, two, three');
    await textIn(page, 'One, two, three').waitFor();
    await page.getByRole('button', { name: 'Stop the reply' }).click();
    await textIn(page, 'You stopped this reply.').waitFor();
    await waitFor(() => provider.open === 0);
    await composerOf(page).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Good reply' }).waitFor();
    expect(await stored()).toMatchObject({ stop_reason: 'cancelled', content: [{ body: 'One, two, three' }] });
    expect(await page.getByRole('status').filter({ hasText: 'The reply' }).allInnerTexts()).toEqual(['The reply has ended.']);
    await expectAccessible(page);
  });

  it('stays stopped after a reload', async () => {
    await page.reload();
    await textIn(page, 'One, two, three').waitFor();
    await textIn(page, 'You stopped this reply.').waitFor();
    expect(await page.getByRole('button', { name: 'Stop the reply' }).count()).toBe(0);
  });

  it('is continued after its last word', async () => {
    const { provider } = world;
    const { begun } = provider;
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await waitFor(() => provider.begun === begun + 1);
    expect(provider.lastRequest).toContain('One, two, three');
    provider.say(', four, five');
    await textIn(page, 'One, two, three, four, five').waitFor();
    provider.end(', six.');
    await textIn(page, 'One, two, three, four, five, six.').waitFor();
    await textIn(page, 'You stopped this reply.').waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ stop_reason: 'end_turn' });
    expect(reported).toEqual([]);
  });
});
