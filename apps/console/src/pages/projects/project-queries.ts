import type { ConversationPage, ProjectSummary } from '@parlance/client/types';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';
import { parlance } from '../../session/parlance.ts';

const PAGE = 50;
const MOST_IN_PAGE = 100;
/** Projects that the navigation shows. A user owns at most 200. */
const MOST_PROJECTS = 500;

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async (): Promise<readonly ProjectSummary[]> => {
    const all: ProjectSummary[] = [];
    let next: string | null = null;
    do {
      const page: { projects: ProjectSummary[]; next_token: string | null } = await parlance.api.get('/projects', {
        query: { limit: MOST_IN_PAGE, ...(next !== null && { next_token: next }) },
      });
      all.push(...page.projects);
      next = page.next_token;
    } while (next !== null && all.length < MOST_PROJECTS);
    return all.toSorted((one, other) => one.title.localeCompare(other.title));
  },
  staleTime: 60_000,
});

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId],
    queryFn: () => parlance.api.get('/projects/{projectId}', { path: { projectId } }),
  });

const pages = { initialPageParam: null as string | null, getNextPageParam: ({ next_token }: ConversationPage) => next_token };
const pageAt = (next_token: string | null) => ({ limit: PAGE, ...(next_token !== null && { next_token }) });

/** The user's own chats in a project. The key begins like the keys of other lists of chats, which change together. */
export const projectChatsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: ['chats', 'project', projectId],
    queryFn: ({ pageParam }) => parlance.api.get('/projects/{projectId}/conversations', { path: { projectId }, query: pageAt(pageParam) }),
    ...pages,
  });

export const pinnedQuery = infiniteQueryOptions({
  queryKey: ['chats', 'pinned'],
  queryFn: ({ pageParam }) => parlance.api.get('/conversations', { query: { pinned: true, ...pageAt(pageParam) } }),
  ...pages,
});

export async function projectsChanged(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['projects'] });
  await queryClient.invalidateQueries({ queryKey: ['chats'] });
}

/** Null moves the chat out of its project. */
export async function moveChat(conversationId: string, projectId: string | null): Promise<void> {
  const path = { conversationId };
  if (projectId === null) await parlance.api.delete('/conversation/{conversationId}/project', { path });
  else await parlance.api.put('/conversation/{conversationId}/project', { path, body: { project_id: projectId } });
  await chatMoved(conversationId);
}

export async function pinChat(conversationId: string, pinned: boolean): Promise<void> {
  await parlance.api.put('/conversation/{conversationId}/pinned', { path: { conversationId }, body: { pinned } });
  await chatMoved(conversationId);
}

export async function turnMemory(conversationId: string, enabled: boolean): Promise<void> {
  await parlance.api.put('/conversation/{conversationId}/memory', { path: { conversationId }, body: { enabled } });
  await chatMoved(conversationId);
}

async function chatMoved(conversationId: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['conversation', conversationId] });
  await queryClient.invalidateQueries({ queryKey: ['chats'] });
}
