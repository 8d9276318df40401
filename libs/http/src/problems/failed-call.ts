import { Logger } from '@nestjs/common';

const logger = new Logger('Calls');

/** Thrown, as the cause of a refusal, by a call to another service that was not answered. What it says is for the log alone. */
export class FailedCall extends Error {
  readonly path: string;

  constructor(
    readonly target: string,
    readonly method: string,
    /** Its query is left out: there may be secrets in it. */
    url: string,
    cause: unknown,
  ) {
    super(`A call to the service ${target} failed.`, { cause });
    this.name = 'FailedCall';
    this.path = url.split('?', 1)[0] as string;
  }

  /** Writes a line of the current request. */
  log(): void {
    const { target, method, path, cause, message } = this;
    logger.warn(message, { target, method, path, cause: told(cause) });
  }
}

/** Both errors where there are several (one for each address that was tried), and what lies below. */
function told(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(told).join('; ');
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? String(error) : `${String(error)}: ${told(error.cause)}`;
}
