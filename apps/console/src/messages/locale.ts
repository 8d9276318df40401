let language = 'en';
/** Of dates and numbers; null for those of the browser. */
let formats: string | null = null;

/** The tag of the language of all texts. */
export function chooseLocale(tag: string): void {
  language = tag;
}

/** Formats of another region, in the language of all texts: with others, names of months would be in another language than the text. */
export function chooseFormats(tag: string | null): void {
  formats = tag;
}

/** For Intl. `navigator.language` may be no language tag at all. */
export function locale(): string {
  try {
    return Intl.getCanonicalLocales(formats ?? navigator.language).find((tag) => tag.startsWith(language)) ?? language;
  } catch {
    return language;
  }
}
