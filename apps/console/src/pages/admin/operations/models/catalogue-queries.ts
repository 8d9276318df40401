import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { isStale } from '../../../../api/form-errors.ts';
import { parlance } from '../../../../session/parlance.ts';

/** More models than any catalogue has. */
const MOST = 1_000;

export const modelsQuery = queryOptions({
  queryKey: ['admin', 'models'],
  queryFn: ({ signal }) => parlance.api.get('/admin/models', { query: { limit: MOST }, signal }),
});

export const providersQuery = queryOptions({
  queryKey: ['admin', 'providers'],
  queryFn: async ({ signal }) => (await parlance.api.get('/admin/providers', { signal })).providers,
});

export const routesQuery = queryOptions({
  queryKey: ['admin', 'routes'],
  queryFn: async ({ signal }) => (await parlance.api.get('/admin/routes', { signal })).routes,
});

/** The models that programs can call now. Embedding models are among them, although no chat can use them. */
export const callableModelsQuery = queryOptions({
  queryKey: ['admin', 'models', 'callable'],
  queryFn: async ({ signal }): Promise<ReadonlySet<string>> =>
    new Set((await parlance.api.get('/user/me/models', { signal })).models.map(({ id }) => id)),
});

/** Reads again what changes of the catalogue can change, and the models that chats offer. */
export async function catalogueChanged(client: QueryClient): Promise<void> {
  await Promise.all(['models', 'providers', 'routes'].map((key) => client.invalidateQueries({ queryKey: ['admin', key] })));
  await client.invalidateQueries({ queryKey: ['config'] });
}

/** Sends a change of what was read. If another administrator was faster, reads the catalogue again and rejects with `text`. */
export async function changeRead<Answer>(client: QueryClient, text: string, send: () => Promise<Answer>): Promise<Answer> {
  const answer = await send().catch(async (error: unknown) => {
    if (!isStale(error)) throw error;
    await catalogueChanged(client);
    throw new Error(text, { cause: error });
  });
  await catalogueChanged(client);
  return answer;
}
