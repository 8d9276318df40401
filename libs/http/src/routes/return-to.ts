import { refuse } from '@parlance/decider';

const LONGEST_RETURN_TO = 1_500;
const RULE = 'must be a path of this server or an address of an origin in consoleOrigins';

/**
 * The address to which a browser may be redirected with secrets after `#`: a path of this server, or a page of a trusted origin.
 * Returns it in the form for the header Location. Throws the refusal `invalid_return_to`.
 */
export function safeReturnTo(returnTo: string, trustedOrigins: readonly string[]): string {
  const location = isPlain(returnTo) ? (returnTo.startsWith('/') ? onOurOrigin(returnTo) : onTrusted(returnTo, trustedOrigins)) : null;
  if (location === null || location.length > LONGEST_RETURN_TO)
    throw refuse('invalid', 'invalid_return_to', `The parameter return_to ${RULE}.`, { errors: [{ path: 'return_to', message: RULE }] });
  return location;
}

/** Browsers drop some characters and read a backslash as a slash. The secrets are added after #. */
const isPlain = (returnTo: string): boolean => !/[\p{Cc}\s\\#]/u.test(returnTo);

function onOurOrigin(returnTo: string): string | null {
  const here = 'http://here.invalid';
  const url = URL.parse(returnTo, here);
  // Checked before and after dots are resolved, because two slashes at the start name another host.
  const paths = [returnTo.split('?', 1)[0] as string, url?.pathname ?? '//'];
  return url?.origin === here && !paths.some((path) => path.includes('//')) ? url.pathname + url.search : null;
}

/** The address on a trusted origin. A blob: address is refused, although it has the origin of its page. */
function onTrusted(returnTo: string, origins: readonly string[]): string | null {
  const url = URL.parse(returnTo);
  return url && /^https?:$/.test(url.protocol) && origins.includes(url.origin) && url.username === '' && url.password === ''
    ? url.href
    : null;
}
