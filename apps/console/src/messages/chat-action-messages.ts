import { chatActions } from './en/chat/actions.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded with the first open menu of a chat. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof chatActions>> = { en: chatActions };

/** The texts of a chat's menu and its dialogs, in the chosen language. */
export function useChatActionMessages(): typeof chatActions {
  useMessages();
  return TEXTS[chosenLanguage()];
}
