/** The attributes of a cookie for a path below the public base URL. No script can read it. */
export function cookieAttributes(publicBaseUrl: string, path: string, sameSite: 'Strict' | 'Lax'): string {
  const { pathname, protocol } = new URL(publicBaseUrl);
  return `; Path=${pathname.replace(/\/$/, '')}${path}; HttpOnly; SameSite=${sameSite}${protocol === 'https:' ? '; Secure' : ''}`;
}

/** The value of a cookie in the header Cookie. Null if the header has no such cookie. */
export function cookieValue(header: string | undefined, name: string): string | null {
  const pair = header
    ?.split(';')
    .map((text) => text.trim())
    .find((text) => text.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) || null;
}
