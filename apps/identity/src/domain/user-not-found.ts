import { refuse } from '@parlance/decider';

/** The refusal for a user that does not exist, or is erased. */
export const userNotFound = () => refuse('missing', 'user_not_found', 'There is no such user.');
