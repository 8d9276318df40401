export type FetchRefusal =
  | 'url_invalid'
  | 'port_forbidden'
  | 'header_invalid'
  | 'host_unknown'
  | 'address_forbidden'
  | 'certificate_invalid'
  | 'unreachable'
  | 'timeout'
  | 'too_many_redirects'
  | 'redirect_refused'
  | 'headers_too_large'
  | 'too_large'
  | 'encoding_unsupported'
  | 'response_invalid'
  | 'closed';

const SENTENCES: Readonly<Record<FetchRefusal, string>> = {
  url_invalid: 'The address is not valid. Use a full address that starts with http:// or https:// and has no user name or password.',
  port_forbidden: 'The port of the address belongs to a protocol other than HTTP. Use another port.',
  header_invalid: 'A header of the request has an invalid name or value.',
  host_unknown: 'The host name was not found. Check its spelling.',
  address_forbidden: 'The address leads to a private or reserved network, which this deployment does not allow.',
  certificate_invalid: 'The certificate of the server is not valid for this address.',
  unreachable: 'The server could not be reached, or closed the connection. Check that it is running, then try again.',
  timeout: 'The server did not answer completely within the time limit. Try again later.',
  too_many_redirects: 'The address redirects too often.',
  redirect_refused: 'The address redirects to an address that is not allowed here.',
  headers_too_large: 'The headers of the answer are too large.',
  too_large: 'The answer is larger than the limit.',
  encoding_unsupported: 'The answer is compressed in an unsupported way.',
  response_invalid: 'The answer of the server is not valid HTTP, or its compressed data is damaged.',
  closed: 'The request was stopped because the service is shutting down.',
};

/**
 * Thrown by `GuardedFetch.fetch`, and by the body of its answer, if the request is not allowed or fails. The message is a sentence for the owner
 * of the address. It never names a resolved IP address, because that would let users explore the network.
 */
export class FetchRefused extends Error {
  constructor(
    readonly code: FetchRefusal,
    options: { readonly cause?: unknown } = {},
  ) {
    super(SENTENCES[code], options);
    this.name = 'FetchRefused';
  }
}

const BY_CODE: Readonly<Record<string, FetchRefusal>> = {
  ENOTFOUND: 'host_unknown',
  ENODATA: 'host_unknown',
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'unreachable',
};

/** The error for the caller: a refusal, or the reason of the caller's signal. */
export function refusalFor(error: unknown, ends: AbortSignal): unknown {
  if (error instanceof FetchRefused) return error;
  if (ends.aborted) return ends.reason;
  const { code = '', name } = error as { code?: string; name?: string };
  if (name === 'HTTPParserError' && code === '') return new FetchRefused('response_invalid', { cause: error });
  return new FetchRefused(BY_CODE[code] ?? byFamily(code), { cause: error });
}

function byFamily(code: string): FetchRefusal {
  if (/CERT|ERR_TLS|ERR_SSL|UNABLE_TO_|SELF_SIGNED/.test(code)) return 'certificate_invalid';
  if (/^(HPE_|Z_|ERR__?BROTLI|ERR_PADDING|ERR_TRAILING)/.test(code)) return 'response_invalid';
  return 'unreachable';
}
