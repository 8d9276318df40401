import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, consoleWorld, expectAccessible } from '../console-world.ts';
import { type StreamingProvider, streamingProvider } from '../streaming-provider.ts';

const paragraphs = (name: string) => Array.from({ length: 40 }, (_, nth) => `${name} ${nth}.\n\n`).join('');

describe('a reply that grows below the view', () => {
  let provider: StreamingProvider;
  let world: ConsoleWorld;
  let page: Page;
  beforeAll(async () => {
    provider = await streamingProvider();
    world = await consoleWorld({ PARLANCE_MODELS: provider.models, PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' });
    ({ page } = await world.openSignedIn());
  });
  afterAll(async () => {
    await world.stop();
    await provider.stop();
  });

  const messages = () => page.getByRole('region', { name: 'Messages' });
  const top = () => messages().evaluate((element) => element.scrollTop);
  const toEnd = () => messages().evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  const latest = () => page.getByRole('button', { name: 'Latest' });

  it('is followed while its reader is at the end', async () => {
    await page.getByRole('textbox', { name: 'Message' }).fill('Tell me much');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
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
});
