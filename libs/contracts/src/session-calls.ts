const SESSION = 'session-';

/** The `token_id` of calls that a user makes with a session, such as dictations in the console. No token has such an ID. */
export const tokenIdOfSessions = (userId: string): string => SESSION + userId;

/** Whether a call was made with a session instead of a token. */
export const isOfSessions = (tokenId: string): boolean => tokenId.startsWith(SESSION);
