import { ParlanceError } from '@parlance/client';

/** Whether someone else has meanwhile changed or created what a request with `If-Match` or `If-None-Match` wanted to. */
export const isStale = (error: unknown): boolean => error instanceof ParlanceError && error.status === 412;

/** Errors of single fields, by their paths in the body. An error that concerns the whole request has an empty path. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ParlanceError)) return {};
  return Object.fromEntries((error.errors ?? []).flatMap(({ path, message }) => (path === '' ? [] : [[path, message]])));
}

/** The error of the form as a whole. Null if there is none, or if it concerns single fields, which show it themselves. */
export const formError = (error: unknown): unknown => (Object.keys(fieldErrors(error)).length > 0 ? null : error);
