import { promptChoice } from './en/chat/prompt-choice.ts';
import { hookOf } from './index.ts';

/** The texts for using a prompt, loaded with the first list of prompts in the composer. */
export const usePromptChoiceMessages = hookOf('promptChoice', promptChoice);
