import { queryOptions } from '@tanstack/react-query';
import { parlance } from '../session/parlance.ts';
import { audited } from './query-client.ts';

const MOST_QUERIES = 20;

/** Usage figures of a bot over the last days. The server answers only administrators. */
export const botFigures = (botId: string, days: number) => {
  const [path, key] = [{ botId }, ['bot-figures', botId, days]];
  return {
    analytics: queryOptions({
      ...audited,
      queryKey: [...key, 'analytics'],
      queryFn: ({ signal }) => parlance.api.get('/admin/bots/{botId}/analytics', { path, query: { days }, signal }),
    }),
    satisfaction: queryOptions({
      ...audited,
      queryKey: [...key, 'satisfaction'],
      queryFn: ({ signal }) => parlance.api.get('/admin/bots/{botId}/satisfaction', { path, query: { days }, signal }),
    }),
    popular: queryOptions({
      ...audited,
      queryKey: [...key, 'popular'],
      queryFn: ({ signal }) =>
        parlance.api.get('/admin/bots/{botId}/popular-queries', { path, query: { days, limit: MOST_QUERIES }, signal }),
    }),
  };
};
