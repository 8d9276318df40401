import { sharing } from './en/sharing.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

export type SharingMessages = typeof sharing;

/** Loaded with the first page or dialog for shared chats. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, SharingMessages>> = { en: sharing };

/** The texts about shared chats in the chosen language. */
export function useSharingMessages(): SharingMessages {
  useMessages();
  return TEXTS[chosenLanguage()];
}
