import type { Locator, Page } from 'playwright-core';
import { shared } from '@parlance/testing';
import { atEnd, type ConsoleWorld, consoleWorld } from './console-world.ts';
import { type StreamingProvider, streamingProvider } from './streaming-provider.ts';

/** A product whose model writes what the spec scripts. */
export interface ChatWorld extends ConsoleWorld {
  readonly provider: StreamingProvider;
}

/** One model server and one product for all spec files in this process, unless a file asks for its own product. */
export async function chatWorld(settings: Readonly<Record<string, string>> = {}): Promise<ChatWorld> {
  const provider = await shared('model server', streamingProvider);
  provider.reset();
  const world = await consoleWorld({ PARLANCE_MODELS: provider.models, ...settings });
  // An unfinished reply would continue during the next spec file.
  atEnd(async () => provider.finish('The end.'));
  return { ...world, provider };
}

export const composerOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });

export async function ask(page: Page, text: string): Promise<void> {
  await composerOf(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

export const textIn = (page: Page, text: string): Locator => page.getByRole('main').getByText(text);
