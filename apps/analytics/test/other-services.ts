import type { Host } from '@parlance/foundation';
import { fastify } from 'fastify';

export interface TestPerson {
  readonly user_id: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly groups: readonly string[];
  readonly enabled: boolean;
  readonly create_time: number;
  readonly last_sign_in_time: number | null;
}

export const person = (user_id: string, more: Partial<TestPerson> = {}): TestPerson => ({
  user_id,
  email: `${user_id}@example.org`,
  first_name: user_id,
  last_name: 'Example',
  groups: [],
  enabled: true,
  create_time: 0,
  last_sign_in_time: null,
  ...more,
});

const NOT_HELD = { user_ids: [], bot_ids: [] };

/** Replaces identity in tests: selects and answers these users, and answers which users and bots are on hold. Keys of users come from what was entered before. */
export async function enterPeople({ local }: Host, people: readonly TestPerson[], held: object = NOT_HELD): Promise<void> {
  const identity = fastify();
  const keys = local.named('identity');
  identity.get('/internal/subject-keys/*', async ({ url }, reply) => {
    const { statusCode, headers, body } = await keys.inject(url);
    return reply.code(statusCode).type(String(headers['content-type'])).send(body);
  });
  identity.get('/internal/holds/subjects', async () => held);
  identity.post('/internal/step-ups', async (_, reply) => reply.code(204).send());
  type Selected = { prefix?: string; group?: string; enabled?: boolean; sort: keyof TestPerson; order: 'asc' | 'desc' };
  identity.post<{ Body: Selected }>('/internal/users/select', async ({ body: { prefix = '', group, enabled, sort, order } }) => {
    const found = people
      .filter((each) => each.email.startsWith(prefix) && (group === undefined || each.groups.includes(group)))
      .filter((each) => enabled === undefined || each.enabled === enabled);
    const sign = order === 'asc' ? 1 : -1;
    return { user_ids: found.toSorted((a, b) => sign * ((a[sort] ?? 0) < (b[sort] ?? 0) ? -1 : 1)).map(({ user_id }) => user_id) };
  });
  identity.post<{ Body: { user_ids: readonly string[] } }>('/internal/users/persons', async ({ body: { user_ids } }) => ({
    users: people.filter(({ user_id }) => user_ids.includes(user_id)),
  }));
  await local.enter('identity', identity);
}
