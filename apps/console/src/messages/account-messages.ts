import { account } from './en/account.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

export type AccountMessages = typeof account;

/** Loaded with the first page of the account. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, AccountMessages>> = { en: account };

/** The texts of the account in the chosen language. */
export function useAccountMessages(): AccountMessages {
  useMessages();
  return TEXTS[chosenLanguage()];
}
