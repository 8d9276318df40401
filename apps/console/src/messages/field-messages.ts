import { fields } from './en/fields.ts';
import { chosenLanguage, type Language } from './index.ts';

/** Loaded with the first form. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof fields>> = { en: fields };

/** The texts about refused fields in the chosen language. */
export const fieldMessages = (): typeof fields => TEXTS[chosenLanguage()];
