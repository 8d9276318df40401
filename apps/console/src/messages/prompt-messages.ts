import { prompts } from './en/prompts.ts';
import { hookOf } from './index.ts';

/** Loaded with the pages of the prompt library. */
export const usePromptMessages = hookOf('prompts', prompts);
