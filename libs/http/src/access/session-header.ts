/** The one header of this prefix that is the client's to send: how it wants to keep its refresh token. */
export const SESSION_HEADER = 'x-parlance-session';
