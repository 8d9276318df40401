import { ParlanceError } from '@parlance/client';
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

/** Whether someone else has meanwhile changed or created what a request with `If-Match` or `If-None-Match` wanted to. */
export const isStale = (error: unknown): boolean => error instanceof ParlanceError && error.status === 412;

/** Errors of single fields, by their paths in the body. An error that concerns the whole request has an empty path. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ParlanceError)) return {};
  return Object.fromEntries((error.errors ?? []).flatMap(({ path, message }) => (path === '' ? [] : [[path, message]])));
}

/** The error of the form as a whole. Null if there is none, or if it concerns single fields, which show it themselves. */
export const formError = (error: unknown): unknown => (Object.keys(fieldErrors(error)).length > 0 ? null : error);
