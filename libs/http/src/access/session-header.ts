/** The only header with this prefix that clients may send. It says how the client stores its refresh token. */
export const SESSION_HEADER = 'x-parlance-session';
