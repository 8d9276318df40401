let language = 'en';

/** The tag of the language of all texts. */
export function chooseLocale(tag: string): void {
  language = tag;
}

/** For Intl. `navigator.language` may be no language tag at all. */
export function locale(): string {
  try {
    return Intl.getCanonicalLocales(navigator.language).find((tag) => tag.startsWith(language)) ?? language;
  } catch {
    return language;
  }
}
