import { ParlanceError } from '@parlance/client';
import { fieldMessages } from '../messages/field-messages.ts';
import { messages } from '../messages/index.ts';
import { fieldMessage } from './field-message.ts';

/** Whether a request with `If-Match` or `If-None-Match` failed because another user has changed or created the resource meanwhile. */
export const isStale = (error: unknown): boolean => error instanceof ParlanceError && error.status === 412;

/** Sentences about single fields, by their paths in the body. An error that concerns the whole request has an empty path. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ParlanceError)) return {};
  return Object.fromEntries(
    (error.errors ?? []).flatMap(({ path, message }) => (path === '' ? [] : [[path, fieldMessage(message, fieldMessages())]])),
  );
}

/** The sentences about all refused fields with their names, for a place that shows no fields. Undefined for other errors. */
export function refusedFields(error: unknown): string | undefined {
  if (!(error instanceof ParlanceError) || (error.code !== 'invalid_body' && error.code !== 'invalid_query')) return undefined;
  const sentences = Object.entries(fieldErrors(error)).map(([path, sentence]) => messages().common.named(path, sentence));
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

/** The error of the whole form. Null if there is none, or if fields show the errors themselves. */
export const formError = (error: unknown): unknown => (Object.keys(fieldErrors(error)).length > 0 ? null : error);
