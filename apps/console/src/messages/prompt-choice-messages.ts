import { promptChoice } from './en/chat/prompt-choice.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded with the first list of prompts in the composer. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof promptChoice>> = { en: promptChoice };

/** The texts for using a prompt, in the chosen language. */
export function usePromptChoiceMessages(): typeof promptChoice {
  useMessages();
  return TEXTS[chosenLanguage()];
}
