import { refuse } from '@parlance/decider';
import { MAX_PROMPTS_OF_USER } from './prompt-limits.ts';

/** The same answer for a prompt that never existed, that was deleted, or that the caller may not see. */
export const promptNotFound = () => refuse('missing', 'prompt_not_found', 'There is no such prompt, or it is not yours to see.');

export const notPromptOwner = () =>
  refuse('forbidden', 'not_prompt_owner', 'Only the owner of the prompt or an administrator may do this.');

export const notPromptEditor = () =>
  refuse('forbidden', 'not_prompt_editor', 'Only the owner of the prompt, an editor or an administrator may change it.');

export const commandTaken = () =>
  refuse('conflict', 'command_taken', 'The owner has another prompt with this command. Choose another command, or change that prompt.');

export const tooManyPrompts = () =>
  refuse('conflict', 'too_many_prompts', `You can own at most ${MAX_PROMPTS_OF_USER} prompts. Delete one first.`);

export const promptChanged = () =>
  refuse('stale', 'version_stale', 'The resource has changed since it was read. Read it again, then repeat the change.');

export const ownerErased = () => refuse('unauthenticated', 'invalid_token', 'This user was erased.');
