import { useQuery } from '@tanstack/react-query';
import { parlance } from '../../../session/parlance.ts';
import { useNames as usePublicNames } from '../../bots/header/people.ts';

/** The rows of one list request. Further users are looked up by ID; further bots are shown by ID. */
const MOST = 1_000;
const FRESH_MILLIS = 300_000;

interface WantedNames {
  /** IDs of users. */
  readonly users: readonly string[];
  readonly bots: boolean;
}

/**
 * The addresses of users and the titles of bots by ID, from one request each, and only if the list has such IDs. The audit log records the
 * requests. Users beyond the list are looked up separately.
 */
export function useNames({ users, bots }: WantedNames): ReadonlyMap<string, string> {
  const query = { include_all: true, limit: MOST };
  const userNames = useQuery({
    queryKey: ['admin', 'names', 'users'],
    queryFn: ({ signal }) => parlance.api.get('/admin/users', { query, signal }),
    select: (page) => page.users.map((each) => [each.user_id, each.email ?? each.user_id] as const),
    enabled: users.length > 0,
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
  const listed = new Map(userNames.data);
  const others = usePublicNames(userNames.data === undefined ? [] : users.filter((id) => !listed.has(id)));
  return new Map([...others, ...listed, ...(botNames.data ?? [])]);
}
