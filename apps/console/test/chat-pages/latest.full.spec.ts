import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { ask, type ChatWorld, chatWorld } from '../chat-world.ts';
import { expectAccessible } from '../console-world.ts';

const paragraphs = (name: string) => Array.from({ length: 40 }, (_, index) => `${name} ${index}.\n\n`).join('');

describe('a reply that grows below the view', () => {
  let world: ChatWorld;
  let provider: ChatWorld['provider'];
  let page: Page;
  beforeAll(async () => {
    world = await chatWorld();
    ({ provider } = world);
    ({ page } = await world.openSignedIn());
  });

  const messages = () => page.getByRole('region', { name: 'Messages' });
  const top = () => messages().evaluate((element) => element.scrollTop);
  const toEnd = () => messages().evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  const latest = () => page.getByRole('button', { name: 'Latest' });

  it('is followed while its reader is at the end', async () => {
    await ask(page, 'Tell me much');
    await waitFor(() => provider.begun === 1);
    provider.say(paragraphs('First'));
    await page.getByText('First 39.').waitFor();
    await waitFor(async () => (await toEnd()) < 32);
    expect(await latest().count()).toBe(0);
  });

  it('leaves a reader alone who has scrolled up', async () => {
    await messages().hover();
    await page.mouse.wheel(0, -600);
    await latest().waitFor();
    const before = await top();
    provider.say(paragraphs('Second'));
    await page.getByText('Second 39.').waitFor({ state: 'attached' });
    expect(await top()).toBe(before);
    await expectAccessible(page);
  });

  it('is followed again after Latest is pressed', async () => {
    await latest().press('Enter');
    await waitFor(async () => (await toEnd()) < 32);
    provider.end(paragraphs('Third'));
    await page.getByText('Third 39.').waitFor();
    await waitFor(async () => (await toEnd()) < 32);
    expect(await latest().count()).toBe(0);
  });

  it('is scrolled in its list only: the page itself stays as high as the window', async () => {
    const { begun } = provider;
    await ask(page, 'And now?');
    await waitFor(() => provider.begun > begun);
    provider.end('No more.');
    await page.getByText('No more.').waitFor();
    const heights = await page.getByRole('main').evaluate(({ scrollHeight, clientHeight }) => [scrollHeight, clientHeight]);
    expect(heights[0]).toBe(heights[1]);
  });
});
