import { useQuery } from '@tanstack/react-query';
import { parlance } from '../../../session/parlance.ts';

/** Names are looked up in one list. Past it, the ID is shown. */
const MOST = 1_000;
const FRESH_MILLIS = 300_000;

interface WantedNames {
  readonly users: boolean;
  readonly bots: boolean;
}

/** The names of users and bots by ID, from one request each, and only if the list has such IDs. The audit log records the requests. */
export function useNames({ users, bots }: WantedNames): ReadonlyMap<string, string> {
  const query = { include_all: true, limit: MOST };
  const userNames = useQuery({
    queryKey: ['admin', 'names', 'users'],
    queryFn: ({ signal }) => parlance.api.get('/admin/users', { query, signal }),
    select: (page) => page.users.map((each) => [each.user_id, each.email ?? each.user_id] as const),
    enabled: users,
    staleTime: FRESH_MILLIS,
    refetchOnWindowFocus: false,
  });
  const botNames = useQuery({
    queryKey: ['admin', 'names', 'bots'],
    queryFn: ({ signal }) => parlance.api.get('/admin/public-bots', { query, signal }),
    select: (page) => page.bots.map((each) => [each.id, each.title] as const),
    enabled: bots,
    staleTime: FRESH_MILLIS,
    refetchOnWindowFocus: false,
  });
  return new Map([...(userNames.data ?? []), ...(botNames.data ?? [])]);
}
