import type { Locator, Page } from 'playwright-core';
import { type ConsoleWorld, consoleWorld } from './console-world.ts';
import { type StreamingProvider, streamingProvider } from './streaming-provider.ts';

/** A product whose model writes what the spec says. */
export interface ChatWorld extends ConsoleWorld {
  readonly provider: StreamingProvider;
}

export async function chatWorld(): Promise<ChatWorld> {
  const provider = await streamingProvider();
  const world = await consoleWorld({ PARLANCE_MODELS: provider.models, PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' });
  const stop = async () => {
    await world.stop();
    await provider.stop();
  };
  return { ...world, provider, stop };
}

export const composerOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });

export async function ask(page: Page, text: string): Promise<void> {
  await composerOf(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

export const textIn = (page: Page, text: string): Locator => page.getByRole('main').getByText(text);
