import { chooseLanguage } from '../../app/language.ts';
import { useEntryMessages } from '../../messages/entry-messages.ts';
import { chosenLanguage, type Language, languages } from '../../messages/index.ts';
import { LANGUAGE_NAMES } from '../../messages/language-names.ts';

/** The language of the pages before signing in, which is kept in this browser. */
export function LanguageMenu() {
  const entry = useEntryMessages();
  if (languages.length < 2) return null;
  return (
    <select
      aria-label={entry.language}
      value={chosenLanguage()}
      onChange={({ target }) => void chooseLanguage(target.value as Language)}
      className="min-h-9 cursor-pointer rounded-sm border border-control bg-raised px-2 text-xs text-muted max-sm:min-h-11"
    >
      {languages.map((language) => (
        <option key={language} value={language} lang={language}>
          {LANGUAGE_NAMES[language]}
        </option>
      ))}
    </select>
  );
}
