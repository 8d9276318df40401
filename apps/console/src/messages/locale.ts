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
  const tag = formats ?? navigator.language;
  return isSameLanguage(tag, language) ? Intl.getCanonicalLocales(tag)[0]! : language;
}

/** Whether two tags are of the same language in the same script, as `zh-SG` and `zh-CN`, but not `zh-TW`. False for an invalid tag. */
export function isSameLanguage(one: string, other: string): boolean {
  return written(one) === written(other);
}

const known = new Map<string, string>();

/** The language with its script. An invalid tag, which is a language of its own, is returned unchanged. */
function written(tag: string): string {
  let found = known.get(tag);
  if (found === undefined) known.set(tag, (found = read(tag)));
  return found;
}

function read(tag: string): string {
  try {
    const { language: name, script } = new Intl.Locale(tag).maximize();
    return `${name}-${script}`;
  } catch {
    return tag;
  }
}
