import { parlance } from '../../../../session/parlance.ts';
import { typesIn } from './event-types.ts';

/** The types of events of this installation. They do not change while it runs. */
export const eventTypesQuery = {
  queryKey: ['event-types'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => typesIn(await parlance.api.get('/asyncapi.json', { signal })),
  staleTime: Infinity,
};
