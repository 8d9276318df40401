import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { parlance } from '../../session/parlance.ts';
import { isAllowed } from './browser-notifications.ts';

/** The number that the bell needs, and all that there are. */
export const [NEWEST, ALL] = [20, 100];
/** How often a page looks for new notifications. */
const POLL_MILLIS = 60_000;

export const NOTIFICATIONS_KEY = ['notifications'];

/** The newest notifications. Pages that the user does not see look for new ones only if the browser may show them. */
export const useNotifications = (limit = NEWEST) =>
  useQuery({
    queryKey: [...NOTIFICATIONS_KEY, limit],
    queryFn: () => parlance.api.get('/user/me/notifications', { query: { limit } }),
    placeholderData: keepPreviousData,
    staleTime: POLL_MILLIS / 2,
    refetchInterval: POLL_MILLIS,
    refetchIntervalInBackground: isAllowed(),
  });
