import type { PublicUser } from '@parlance/client/types';
import { queryOptions, useQueries } from '@tanstack/react-query';
import { queryClient } from '../../../api/query-client.ts';
import { fullName } from '../../../app/full-name.ts';
import { parlance } from '../../../session/parlance.ts';

/** The most names in one request. */
const MOST_NAMES = 100;
const KEPT_MILLIS = 600_000;
const FOUND = 8;

const userKey = (userId: string) => ['user', userId] as const;
const knownUser = (userId: string) => queryClient.getQueryData<PublicUser>(userKey(userId));
const knownOf = (ids: readonly string[]): readonly PublicUser[] => ids.flatMap((id) => knownUser(id) ?? []);

const namesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['user-names', ids],
    staleTime: KEPT_MILLIS,
    queryFn: async ({ signal }): Promise<readonly PublicUser[]> => {
      const missing = ids.filter((id) => knownUser(id) === undefined);
      if (missing.length === 0) return knownOf(ids);
      const { users } = await parlance.api.get('/user/names', { query: { user_ids: missing.join(',') }, signal });
      for (const user of users) queryClient.setQueryData(userKey(user.user_id), user);
      return [...knownOf(ids.filter((id) => !missing.includes(id))), ...users];
    },
    placeholderData: () => knownOf(ids),
  });

/** The names of users by their IDs, from one request for each hundred. A user without a name was erased, or is not loaded yet. */
export function useNames(userIds: readonly string[]): ReadonlyMap<string, string> {
  const ids = [...new Set(userIds)].toSorted();
  const parts = Array.from({ length: Math.ceil(ids.length / MOST_NAMES) }, (_, index) =>
    ids.slice(index * MOST_NAMES, (index + 1) * MOST_NAMES),
  );
  const queries = useQueries({ queries: parts.map(namesQuery) });
  return new Map(queries.flatMap(({ data = [] }) => data.map((user) => [user.user_id, fullName(user)] as const)));
}

export interface FoundPerson {
  readonly kind: 'user' | 'group';
  readonly id: string;
  readonly name: string;
}

export async function findPeople(prefix: string): Promise<FoundPerson[]> {
  const query = { prefix, limit: FOUND };
  const [groups, users] = await Promise.all([
    parlance.api.get('/user/group/search', { query }),
    parlance.api.get('/user/search', { query }),
  ]);
  for (const user of users.users) queryClient.setQueryData(userKey(user.user_id), user);
  return [
    ...groups.groups.map(({ name }) => ({ kind: 'group' as const, id: name, name })),
    ...users.users.map((user) => ({ kind: 'user' as const, id: user.user_id, name: fullName(user) })),
  ];
}
