import { queryOptions } from '@tanstack/react-query';
import { parlance } from '../../session/parlance.ts';

export const healthQuery = queryOptions({
  queryKey: ['admin', 'health'],
  queryFn: ({ signal }) => parlance.api.get('/admin/health', { signal }),
});
