import { FetchRefused } from '@parlance/guarded-fetch';

export type SourceFailure =
  | 'address_invalid'
  | 'address_forbidden'
  | 'pattern_invalid'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'redirect_refused'
  | 'robots_disallowed'
  | 'robots_unreachable'
  | 'access_denied'
  | 'not_found'
  | 'busy'
  | 'answer_invalid'
  | 'sitemap_invalid'
  | 'bucket_forbidden';

/** Thrown by readers of sources. The message says to the bot's owner what failed and what to do. */
export class SourceFailed extends Error {
  constructor(
    readonly code: SourceFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'SourceFailed';
  }
}

const BY_REFUSAL: Readonly<Record<FetchRefused['code'], SourceFailure>> = {
  url_invalid: 'address_invalid',
  port_forbidden: 'address_forbidden',
  header_invalid: 'address_invalid',
  host_unknown: 'unreachable',
  address_forbidden: 'address_forbidden',
  certificate_invalid: 'unreachable',
  unreachable: 'unreachable',
  timeout: 'timeout',
  too_many_redirects: 'redirect_refused',
  redirect_refused: 'redirect_refused',
  headers_too_large: 'answer_invalid',
  too_large: 'too_large',
  encoding_unsupported: 'answer_invalid',
  response_invalid: 'answer_invalid',
  closed: 'busy',
};

/** Only refusals become failures of the source. Other errors are returned unchanged. */
export function failureOf(error: unknown, url: string): unknown {
  if (!(error instanceof FetchRefused)) return error;
  return new SourceFailed(BY_REFUSAL[error.code], `${shown(url)} could not be read. ${error.message}`, { cause: error });
}

/** Throws SourceFailed for a status without content. */
export function assertContent(status: number, url: string): void {
  const failed = (code: SourceFailure, what: string) => new SourceFailed(code, `${shown(url)} ${what}`);
  if (status === 401 || status === 403) throw failed('access_denied', 'refuses access. Make it public, or upload its content as a file.');
  if (isGone(status)) throw failed('not_found', 'does not exist. Correct the address or remove it.');
  if (status === 429 || status === 503) throw failed('busy', 'is busy and refused the request. Sync again later.');
  if (status !== 200) throw failed('answer_invalid', `answered with status ${status}. Check the address in a browser, then sync again.`);
}

export function isGone(status: number): boolean {
  return status === 404 || status === 410;
}

const SHOWN_CHARACTERS = 200;

/** An address for a message. A long one is shortened. */
export function shown(url: string): string {
  return url.length > SHOWN_CHARACTERS ? `${url.slice(0, SHOWN_CHARACTERS)}…` : url;
}
