import { botChoice } from './en/chat/bot-choice.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded with the first list of bots to chat with. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof botChoice>> = { en: botChoice };

/** The texts of the lists from which a bot is chosen, in the chosen language. */
export function useBotChoiceMessages(): typeof botChoice {
  useMessages();
  return TEXTS[chosenLanguage()];
}
