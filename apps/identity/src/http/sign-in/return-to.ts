import { refuse } from '@parlance/decider';

const LONGEST_RETURN_TO = 1_500;

/**
 * Where the browser may be sent with fresh tokens: to a path on our own origin, or to a page of an origin that the
 * deployment trusts. Answers it as a Location may carry it. Throws the refusal `invalid_return_to`.
 */
export function safeReturnTo(said: string, trustedOrigins: readonly string[]): string {
  const place = isPlain(said) ? (said.startsWith('/') ? onOurOrigin(said) : onTrusted(said, trustedOrigins)) : null;
  if (place === null || place.length > LONGEST_RETURN_TO)
    throw refuse(
      'invalid',
      'invalid_return_to',
      'The parameter return_to must be a path of this server or an address of an origin in consoleOrigins.',
    );
  return place;
}

/** Browsers drop some characters and take a backslash for a slash; behind # the tokens will stand. */
const isPlain = (said: string): boolean => !/[\p{Cc}\s\\#]/u.test(said);

function onOurOrigin(said: string): string | null {
  const here = 'http://here.invalid';
  const url = URL.parse(said, here);
  // Before and after dots are resolved: two slashes in front would begin the name of another host.
  const paths = [said.split('?', 1)[0] as string, url?.pathname ?? '//'];
  return url?.origin === here && !paths.some((path) => path.includes('//')) ? url.pathname + url.search : null;
}

/** A blob's address has the origin of its page. */
function onTrusted(said: string, origins: readonly string[]): string | null {
  const url = URL.parse(said);
  return url && /^https?:$/.test(url.protocol) && origins.includes(url.origin) && url.username === '' && url.password === ''
    ? url.href
    : null;
}
