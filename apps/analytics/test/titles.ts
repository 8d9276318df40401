import type { Host } from '@parlance/foundation';
import { fastify } from 'fastify';

/** Replaces the bots service in tests: returns titles of bots, and shared bots. */
export async function enterTitles(
  { local }: Host,
  titles: Readonly<Record<string, string>>,
  shared: readonly string[] = [],
): Promise<void> {
  const bots = fastify();
  type Asked = { Body: { bot_ids: readonly string[] } };
  bots.post<Asked>('/internal/bots/titles', async ({ body }) => ({
    titles: Object.fromEntries(Object.entries(titles).filter(([id]) => body.bot_ids.includes(id))),
  }));
  bots.post('/internal/bots/shared', async () => ({ bot_ids: shared, next: null }));
  bots.post<Asked>('/internal/bots/shown', async ({ body: { bot_ids } }) => ({
    bots: bot_ids.map((id) => ({ id, title: '', description: '', shared_scope: 'all', status: 'shared', owner_user_id: 'ann' })),
  }));
  await local.enter('bots', bots);
}

/** Replaces the publication service in tests: returns the descriptions of API keys. */
export async function enterDescriptions({ local }: Host, descriptions: Readonly<Record<string, string>>): Promise<void> {
  const publication = fastify();
  publication.post('/internal/api-keys/descriptions', async () => ({ descriptions }));
  await local.enter('publication', publication);
}
