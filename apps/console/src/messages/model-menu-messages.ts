import { modelMenu } from './en/chat/models.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded when the menu of models is first opened. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof modelMenu>> = { en: modelMenu };

/** The texts of the menu of models, in the chosen language. */
export function useModelMenuMessages(): typeof modelMenu {
  useMessages();
  return TEXTS[chosenLanguage()];
}
