import { chosenLanguage, type Language, languages, setLanguage } from '../messages/index.ts';
import { isSameLanguage } from '../messages/locale.ts';
import { applyFormats } from './formats.ts';

/** The last choice in this browser, for the pages before signing in and for the next start. */
const KEY = 'parlance.language';

const available = (tag: string | null): Language | undefined => languages.find((language) => language === tag);

/** The first of the browser's languages that the console has. */
export function browserLanguage(wanted: readonly string[], offered: readonly Language[] = languages): Language {
  for (const tag of wanted) {
    const found = offered.find((language) => isSameLanguage(language, tag));
    if (found !== undefined) return found;
  }
  return 'en';
}

const languageHere = (): Language => available(localStorage.getItem(KEY)) ?? browserLanguage(navigator.languages);

/** Shows the console in the language of this browser. Null if it is English, which needs not be loaded. */
export function startLanguage(): Promise<void> | null {
  const language = languageHere();
  return language === chosenLanguage() ? null : show(language);
}

/** Shows the language that the user has chosen in the account. Without a choice, the language of this browser stays. */
export function followAccount(chosen: string | null): Promise<void> {
  const language = available(chosen);
  if (language !== undefined) localStorage.setItem(KEY, language);
  return show(language ?? languageHere());
}

/** Shows a language and keeps it in this browser. Null for the browser's own. */
export function chooseLanguage(language: Language | null): Promise<void> {
  if (language === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, language);
  return show(languageHere());
}

/** A language whose file cannot be loaded leaves the texts as they are: the console stays usable. */
async function show(language: Language): Promise<void> {
  if (language === chosenLanguage()) return;
  await setLanguage(language).catch(() => undefined);
  applyFormats();
}
