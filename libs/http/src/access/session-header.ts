/** A header with our prefix that clients may send, like `CACHE_HEADER`. It says how the client stores its refresh token. */
export const SESSION_HEADER = 'x-parlance-session';
