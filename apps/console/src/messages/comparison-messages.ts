import { comparison } from './en/chat/comparison.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded with the first comparison. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof comparison>> = { en: comparison };

/** The texts of comparisons of models, in the chosen language. */
export function useComparisonMessages(): typeof comparison {
  useMessages();
  return TEXTS[chosenLanguage()];
}
