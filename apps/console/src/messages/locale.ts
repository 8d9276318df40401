let language = 'en';
/** The locale tag for dates and numbers; null for the browser's own. */
let formats: string | null = null;

/** The tag of the language of all texts. */
export function chooseLocale(tag: string): void {
  language = tag;
}

/** Only locales in the language of the texts are used: otherwise names of months would be in another language than the text around them. */
export function chooseFormats(tag: string | null): void {
  formats = tag;
}

/** The locale for Intl. `navigator.language` need not be a valid language tag. */
export function locale(): string {
  try {
    return Intl.getCanonicalLocales(formats ?? navigator.language).find((tag) => tag.startsWith(language)) ?? language;
  } catch {
    return language;
  }
}
