import type { Refused, Report } from './messages.ts';

export const refused = (code: Refused, message: string): Extract<Report, { type: 'refused' }> => ({ type: 'refused', code, message });

/** Errors of these kinds are about the statement, and reveal nothing else. */
const ABOUT_THE_STATEMENT =
  /^(parser|syntax|binder|catalog|conversion|out of range|invalid input|invalid type|mismatch type|divide by zero|not implemented)$/i;

/** The refusal for an engine error, by its kind. The first line of the message describes the error. */
export function refusalOf(kind: string, message: string): Extract<Report, { type: 'refused' }> {
  if (/^(permission|io)$/i.test(kind)) return refused('sql_not_allowed', 'A query reads the exported conversations and nothing else.');
  if (/^out of memory$/i.test(kind) || /could not allocate|bad_alloc/i.test(message)) return refused('query_memory_exceeded', '');
  if (!ABOUT_THE_STATEMENT.test(kind)) return refused('sql_invalid', 'The engine cannot run this statement');
  return refused('sql_invalid', `${kind[0]!.toUpperCase()}${kind.slice(1)} Error: ${message.split('\n')[0]!}`);
}

/** The refusal for an error that the engine threw: `<kind> Error: <message>`. */
export function refusalOfError(error: unknown): Extract<Report, { type: 'refused' }> {
  const text = error instanceof Error ? error.message.replace('Failed to extract statements: ', '') : String(error);
  const [, kind, message] = /^([\w ]+) Error: ([\s\S]*)$/.exec(text) ?? [];
  return refusalOf(kind ?? 'unknown', message ?? text);
}
