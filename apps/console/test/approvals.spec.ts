import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { ask, type ChatWorld, chatWorld } from './chat-world.ts';
import { expectAccessible } from './console-world.ts';

describe('a tool call that needs approval', () => {
  let world: ChatWorld;
  let provider: ChatWorld['provider'];
  let botId: string;
  beforeAll(async () => {
    world = await chatWorld();
    ({ provider } = world);
    ({ id: botId } = await world.parlance.bots.create({ title: 'Sums', tools: [{ name: 'calculator', approval: 'always' }] }));
  });

  /** A chat whose reply waits for approval. */
  const openWaitingChat = async (page: Page) => {
    const { begun } = provider;
    await page.goto(`/app/?bot=${botId}`);
    await ask(page, 'How much is 1 + 1?');
    await waitFor(() => provider.begun === begun + 1);
    provider.call('calculator', { expression: '1+1' });
    await page.getByRole('button', { name: 'Approve' }).waitFor();
  };

  it('explains what to do when the time for the decision is over, and follows the reply', async () => {
    const { page, reported } = await world.openSignedIn();
    await page.clock.install();
    await openWaitingChat(page);
    // The server's clock is earlier, so the reply still waits.
    const stillWaiting = page.waitForResponse((response) => response.request().method() === 'GET' && response.status() === 202);
    await page.clock.fastForward('25:00:00');
    await page.getByText(/The time for your decision ended at .+ ask again when the reply is complete\./).waitFor();
    await page.getByText('Not approved in time').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    // A page that opens after the deadline polls after a minute.
    await page.clock.fastForward('01:00');
    const [, conversationId, replyId] = /conversation\/(\w+)\/(\w+)$/.exec((await stillWaiting).url())!;
    await expectAccessible(page);

    // The reply continues on the server. The page polls automatically.
    const polled = await world.parlance.conversations.message(conversationId!, replyId!);
    const { call_id } = (polled.isComplete ? [] : polled.processing.tool_calls!)[0]!;
    const { begun } = provider;
    await world.parlance.conversations.decide(conversationId!, replyId!, call_id, false);
    await waitFor(() => provider.begun === begun + 1);
    provider.end('I did not calculate it.');
    await page.clock.fastForward('01:00:00');
    await page.getByText('I did not calculate it.').waitFor();
    expect(reported).toEqual([]);
  });

  it('shows a decision that was made in another tab', async () => {
    const { page } = await world.openSignedIn();
    await openWaitingChat(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    const { begun } = provider;
    await other.getByRole('button', { name: 'Approve' }).click();
    await waitFor(() => provider.begun === begun + 1);
    provider.end('It is 2.');
    await other.getByText('It is 2.').waitFor();
    // Headless Chromium treats all pages as visible, so the event is dispatched by hand.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByText('It is 2.').waitFor();
  });
});
