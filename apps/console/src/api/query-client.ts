import { ParlanceError } from '@parlance/client';
import { QueryClient } from '@tanstack/react-query';

/** The client of the API repeats requests where that is safe, so queries are not repeated here. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: (query) => query.state.status !== 'error' },
    mutations: { retry: false },
  },
});

/** Options of queries that the audit log records. They are not repeated when the window gets the focus. */
export const audited = { refetchOnWindowFocus: false } as const;

const FIRST_POLL_MILLIS = 1_000;
const LONGEST_POLL_MILLIS = 30_000;

/** The pause before the next read of work that goes on. It grows, because each read may be recorded. */
export const pollMillis = (reads: number): number => Math.min(LONGEST_POLL_MILLIS, FIRST_POLL_MILLIS * 2 ** reads);

/** Whether somebody has changed what a request with `If-Match` was to change, or made what it was to make. */
export const isStale = (error: unknown): boolean => error instanceof ParlanceError && error.status === 412;

/** The errors of single fields, by their paths in the body. An error of the whole request has an empty path. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ParlanceError)) return {};
  return Object.fromEntries((error.errors ?? []).flatMap(({ path, message }) => (path === '' ? [] : [[path, message]])));
}

/** The error of a form as a whole; null if there is none, or if it is about single fields, which show it. */
export const formError = (error: unknown): unknown => (Object.keys(fieldErrors(error)).length > 0 ? null : error);
