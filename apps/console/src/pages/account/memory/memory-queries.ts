import { ParlanceError } from '@parlance/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { queryClient } from '../../../api/query-client.ts';
import { parlance } from '../../../session/parlance.ts';

const PAGE = 50;
const KEY = ['memory'];

/** Whether the memory is on, and whether administrators allow it. */
export const memorySettingsQuery = queryOptions({
  queryKey: [...KEY, 'settings'],
  queryFn: () => parlance.api.get('/user/me/memory'),
  staleTime: 60_000,
});

export const memoriesQuery = (token?: string) =>
  queryOptions({
    queryKey: [...KEY, 'entries', token],
    queryFn: () => parlance.api.get('/user/me/memories', { query: { limit: PAGE, ...(token && { next_token: token }) } }),
    placeholderData: keepPreviousData,
  });

/** Null for an entry that was removed. */
export const memoryQuery = (memoryId: string) =>
  queryOptions({
    queryKey: [...KEY, 'entry', memoryId],
    queryFn: () => parlance.api.get('/user/me/memories/{memoryId}', { path: { memoryId } }).catch(nullIfRemoved),
    staleTime: 60_000,
  });

export const memoryChanged = (): Promise<void> => queryClient.invalidateQueries({ queryKey: KEY });

/** Succeeds too if the entry was removed elsewhere. */
export async function removeMemory(memoryId: string): Promise<void> {
  await parlance.api.delete('/user/me/memories/{memoryId}', { path: { memoryId } }).catch(nullIfRemoved);
  await memoryChanged();
}

function nullIfRemoved(error: unknown): null {
  if (error instanceof ParlanceError && error.code === 'memory_not_found') return null;
  throw error;
}
