import type { ApiKey } from '@parlance/client/types';
import { queryOptions } from '@tanstack/react-query';
import { parlance } from '../../../../session/parlance.ts';

/** More keys than a bot may have. */
const MOST_KEYS = 1_000;

export const keysQuery = (botId: string) =>
  queryOptions({
    queryKey: ['bot', botId, 'publication', 'keys'],
    queryFn: async (): Promise<readonly ApiKey[]> => {
      const page = await parlance.api.get('/bot/{botId}/publication/api-key', { path: { botId }, query: { limit: MOST_KEYS } });
      return page.api_keys;
    },
  });
