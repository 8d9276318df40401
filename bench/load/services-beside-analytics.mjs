import { fastify } from 'fastify';
import { BOTS, botOf, USERS, userOf } from './usage-log.mjs';

/** Replaces identity, bots and inference for analytics: the replacements answer at once, from arrays. */
export async function enterOthers({ local }) {
  const keys = local.named('identity');
  const identity = fastify();
  identity.get('/internal/subject-keys/*', async ({ url }, reply) => {
    const { statusCode, headers, body } = await keys.inject(url);
    return reply.code(statusCode).type(String(headers['content-type'])).send(body);
  });
  identity.get('/internal/users/first-admin', async () => ({ user_id: userOf(0) }));
  identity.get('/internal/holds/subjects', async () => ({ user_ids: [], bot_ids: [] }));
  const user_ids = Array.from({ length: USERS }, (_, index) => userOf(index));
  identity.post('/internal/users/select', async () => ({ user_ids }));
  identity.post('/internal/users/persons', async ({ body }) => ({
    users: body.user_ids.map((user_id) => {
      const names = { email: `${user_id}@example.org`, first_name: 'A', last_name: 'User' };
      return { user_id, ...names, groups: [], enabled: true, create_time: 0, last_sign_in_time: null };
    }),
  }));
  await local.enter('identity', identity);
  const bots = fastify();
  bots.post('/internal/bots/titles', async ({ body }) => ({ titles: Object.fromEntries(body.bot_ids.map((id) => [id, 'A bot'])) }));
  const bot_ids = Array.from({ length: BOTS / 2 }, (_, index) => botOf(2 * index));
  bots.post('/internal/bots/shared', async () => ({ bot_ids, next: null }));
  bots.post('/internal/bots/shown', async ({ body }) => ({
    bots: body.bot_ids.map((id) => ({
      id,
      title: 'A bot',
      description: '',
      shared_scope: 'all',
      status: 'shared',
      owner_user_id: userOf(0),
    })),
  }));
  await local.enter('bots', bots);
  const inference = fastify();
  inference.post('/internal/feedback/comments', async ({ body }) => ({
    comments: Object.fromEntries(body.replies.map((place) => [place, 'It is right.'])),
  }));
  await local.enter('inference', inference);
}
