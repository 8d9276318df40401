import { QueryClient } from '@tanstack/react-query';

/** The API client already retries requests where that is safe, so queries are not retried here. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: (query) => query.state.status !== 'error' },
    mutations: { retry: false },
  },
});

/** Options for queries that the audit log records: they are not repeated when the window gets the focus. */
export const audited = { refetchOnWindowFocus: false } as const;

const FIRST_POLL_MILLIS = 1_000;
const LONGEST_POLL_MILLIS = 30_000;

/** The pause before running work is polled again. It grows, because each read may be recorded in the audit log. */
export const pollMillis = (reads: number): number => Math.min(LONGEST_POLL_MILLIS, FIRST_POLL_MILLIS * 2 ** reads);
