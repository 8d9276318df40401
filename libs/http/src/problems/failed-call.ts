import { Logger } from '@nestjs/common';

const logger = new Logger('Calls');

/** The link of a shared conversation. */
const SHARED = /^(\/shared\/)[^/]+/;

/** The cause of the refusal that is thrown when another service does not answer a call. Its message is only logged. */
export class FailedCall extends Error {
  readonly path: string;

  constructor(
    readonly target: string,
    readonly method: string,
    /** Its query, and the token of a shared conversation, are left out, because they may be secrets. */
    url: string,
    cause: unknown,
  ) {
    super(`A call to the service ${target} failed.`, { cause });
    this.name = 'FailedCall';
    this.path = (url.split('?', 1)[0] as string).replace(SHARED, '$1…');
  }

  /** Logs the failed call with the current request. */
  log(): void {
    const { target, method, path, cause, message } = this;
    logger.warn(message, { target, method, path, cause: describe(cause) });
  }
}

/** All errors of a failed call: one for each address that was tried, and their causes. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ');
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? String(error) : `${String(error)}: ${describe(error.cause)}`;
}
