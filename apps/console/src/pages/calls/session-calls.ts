/** Whether a call was made with a session instead of a token, as the console does for speech. */
export const isOfSession = (tokenId: string): boolean => tokenId.startsWith('session-');
