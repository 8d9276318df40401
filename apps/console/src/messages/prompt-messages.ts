import { prompts } from './en/prompts.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded with the pages of the prompt library. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof prompts>> = { en: prompts };

/** The texts about prompts in the chosen language. */
export function usePromptMessages(): typeof prompts {
  useMessages();
  return TEXTS[chosenLanguage()];
}
