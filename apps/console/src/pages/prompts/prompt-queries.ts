import type { Prompt } from '@parlance/client/types';
import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';
import { parlance } from '../../session/parlance.ts';
import type { PromptsSearch } from './prompts-search.ts';

const ROWS = 50;

export const promptsQuery = ({ q, kind = 'all', token }: PromptsSearch) =>
  queryOptions({
    queryKey: ['prompts', 'list', kind, q ?? null, token ?? null],
    queryFn: () =>
      parlance.api.get('/prompts', {
        query: { kind, limit: ROWS, ...(q !== undefined && { query: q }), ...(token !== undefined && { next_token: token }) },
      }),
  });

export const promptQuery = (promptId: string) =>
  queryOptions({
    queryKey: ['prompts', promptId],
    queryFn: () => parlance.api.get('/prompts/{promptId}', { path: { promptId } }),
  });

export const promptVersionsQuery = (promptId: string, token: string | undefined) =>
  queryOptions({
    queryKey: ['prompts', promptId, 'versions', token ?? null],
    queryFn: () =>
      parlance.api.get('/prompts/{promptId}/versions', {
        path: { promptId },
        query: { limit: ROWS, ...(token !== undefined && { next_token: token }) },
      }),
  });

/** The ETag of the version that is shown. */
export const etagOf = ({ version }: Pick<Prompt, 'version'>): string => `"${version}"`;

/** Replaces the cached prompt with the answer to a change. */
export async function promptChanged(prompt: Prompt): Promise<void> {
  queryClient.setQueryData(promptQuery(prompt.id).queryKey, prompt);
  await Promise.all(
    [
      ['prompts', 'list'],
      ['prompts', prompt.id, 'versions'],
    ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}

export async function promptDeleted(promptId: string): Promise<void> {
  queryClient.removeQueries({ queryKey: ['prompts', promptId] });
  await queryClient.invalidateQueries({ queryKey: ['prompts', 'list'] });
}
