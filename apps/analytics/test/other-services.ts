import type { Host } from '@parlance/foundation';
import { fastify, type InjectOptions } from 'fastify';

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

/**
 * Replaces identity in tests: selects and returns these users, and returns which users and bots are on hold. Other requests get the
 * answers that were entered earlier.
 */
export async function enterPeople({ local }: Host, people: readonly TestPerson[], held: object = NOT_HELD): Promise<void> {
  const identity = fastify();
  const before = local.named('identity');
  identity.setNotFoundHandler(async ({ method, url, headers, body: payload }, reply) => {
    const call = { method, url, headers, ...(payload ? { payload } : {}) } as InjectOptions;
    const answer = await before.inject(call);
    return reply.code(answer.statusCode).type(String(answer.headers['content-type'])).send(answer.body);
  });
  identity.get('/internal/holds/subjects', async () => held);
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
