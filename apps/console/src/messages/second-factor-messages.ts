import { secondFactor } from './en/second-factor.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded with the first page or dialog for a second factor. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof secondFactor>> = { en: secondFactor };

/** The texts about second factors in the chosen language. */
export function useSecondFactorMessages(): typeof secondFactor {
  useMessages();
  return secondFactorMessages();
}

/** For code outside of components. */
export const secondFactorMessages = (): typeof secondFactor => TEXTS[chosenLanguage()];
