const LOCK = 'parlance-refresh';

/**
 * Lets only one tab at a time exchange the refresh token. The next tab then sends the new cookie. Without Web Locks (http on a local
 * network), the server gives the same answer to two exchanges within 10 seconds.
 */
export function oneRefreshAtATime(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => {
    const locks = globalThis.navigator?.locks as LockManager | undefined;
    const isRefresh = typeof input === 'string' && input.endsWith('/auth/refresh');
    return isRefresh && locks ? locks.request(LOCK, () => fetch(input, init)) : fetch(input, init);
  };
}
