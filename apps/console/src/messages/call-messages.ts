import { calls } from './en/calls.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

export type CallMessages = typeof calls;

/** Loaded with the first page with calls of models. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, CallMessages>> = { en: calls };

/** The texts about calls of models in the chosen language. */
export function useCallMessages(): CallMessages {
  useMessages();
  return TEXTS[chosenLanguage()];
}
