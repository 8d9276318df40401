import type { Host } from '@parlance/foundation';
import { fastify } from 'fastify';

/** Replaces the service of bots in tests: answers titles of bots. */
export async function enterTitles({ local }: Host, titles: Readonly<Record<string, string>>): Promise<void> {
  const bots = fastify();
  bots.post<{ Body: { bot_ids: readonly string[] } }>('/internal/bots/titles', async ({ body }) => ({
    titles: Object.fromEntries(Object.entries(titles).filter(([id]) => body.bot_ids.includes(id))),
  }));
  await local.enter('bots', bots);
}
