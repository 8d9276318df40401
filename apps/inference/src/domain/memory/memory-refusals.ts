import { refuse } from '@parlance/decider';
import { MAX_MEMORIES, MAX_MEMORIES_OF_REPLY } from './memory-limits.ts';

/** The same answer for an entry that never existed, that was removed, or that belongs to another user. */
export const memoryNotFound = () => refuse('missing', 'memory_not_found', 'There is no such entry in your memory.');

export const tooManyMemories = () =>
  refuse('conflict', 'too_many_memories', `Your memory has ${MAX_MEMORIES} entries, and no room for another one. Remove one first.`);

/** Only a model gets these two, as the result of its call. */
export const tooManyMemoriesOfReply = () =>
  refuse('conflict', 'too_many_memories_of_reply', `At most ${MAX_MEMORIES_OF_REPLY} entries can be added in one reply.`);

export const memoryIsOff = () => refuse('conflict', 'memory_is_off', 'The user has turned the memory off.');

export const memoryDisabled = () =>
  refuse('forbidden', 'memory_disabled', 'Administrators have switched off the memory. You can still read and remove entries.');
