import { refuse } from '@parlance/decider';

export const userNotFound = () => refuse('missing', 'user_not_found', 'There is no such user.');
export const botNotFound = () => refuse('missing', 'bot_not_found', 'There is no such bot.');
