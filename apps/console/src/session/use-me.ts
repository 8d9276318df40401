import type { OwnUser, User } from '@parlance/client/types';
import { useSuspenseQuery, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { parlance } from './parlance.ts';

export const meQuery = { queryKey: ['me'], queryFn: () => parlance.me(), staleTime: 60_000 } satisfies UseQueryOptions<OwnUser>;

/** The signed-in user. Only usable below the signed-in layout, which waits for it. */
export const useMe = (): OwnUser => useSuspenseQuery(meQuery).data;

export const useConfig = () => useQuery({ queryKey: ['config'], queryFn: () => parlance.config(), staleTime: 60_000 });

export const isAdmin = ({ groups }: User): boolean => groups.includes('Admin');
export const mayCreateBots = (user: User): boolean => isAdmin(user) || user.groups.includes('CreatingBotAllowed');
export const mayPublish = (user: User): boolean => isAdmin(user) || user.groups.includes('PublishAllowed');
