import { transfer } from './en/bots/transfer.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded with the first page of bots. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof transfer>> = { en: transfer };

/** The texts about copies, exports and imports of bots in the chosen language. */
export function useBotTransferMessages(): typeof transfer {
  useMessages();
  return TEXTS[chosenLanguage()];
}
