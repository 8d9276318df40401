import { replyDetails } from './en/chat/reply-details.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded with the first details of a reply. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof replyDetails>> = { en: replyDetails };

/** The texts about how a reply was made, in the chosen language. */
export function useReplyDetailMessages(): typeof replyDetails {
  useMessages();
  return TEXTS[chosenLanguage()];
}
