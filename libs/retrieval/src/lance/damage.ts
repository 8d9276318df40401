/**
 * Errors that do not come from the content of an index: the store cannot be reached or refuses, memory is used up, or the table was closed. Errors of
 * a store have its name, such as "Generic S3 error". A local file that is too short is reported in the same way.
 */
const OF_OTHERS =
  /Generic (?!memory )\S+ error: (?!failed to fill whole buffer)|store: "|privileges|authenticat|credential|exhausted|is closed/i;

/** Whether a table cannot be read because of its content. A finished index never changes, and LanceDB has one code for all errors of its native part. */
export function isDamage(error: unknown): boolean {
  const { code, message } = error as { readonly code?: string; readonly message: string };
  if (code === 'GenericFailure') return !OF_OTHERS.test(message);
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
