import { chosenLanguage, type Language, setFormats } from '../messages/index.ts';

/** Regions whose formats differ, for texts in each language. */
const REGIONS: Readonly<Record<Language, readonly string[]>> = {
  en: ['US', 'GB', 'CA', 'AU', 'IN', 'ZA', 'AT', 'CH', 'DK', 'SE'],
  de: ['DE', 'AT', 'CH'],
  fr: ['FR', 'BE', 'CA', 'CH'],
  es: ['ES', 'MX', 'AR', 'CO', 'US'],
  'pt-BR': ['BR', 'PT'],
  ja: ['JP'],
  'zh-CN': ['CN', 'SG'],
  ko: ['KR'],
};
/** The user has not chosen a region. */
export const BROWSER = 'browser';

const KEY = 'parlance.formats';

/** The regions for the chosen language. */
export const regions = (): readonly string[] => REGIONS[chosenLanguage()];

/** A region, or `browser`. A region that was chosen for another language may have no formats in this one. */
export function chosenFormats(): string {
  const stored = localStorage.getItem(KEY);
  return regions().find((region) => region === stored) ?? BROWSER;
}

export function chooseFormatsOf(formats: string): void {
  localStorage.setItem(KEY, formats);
  applyFormats();
}

export const tagOf = (region: string): string => `${chosenLanguage().slice(0, 2)}-${region}`;

/** Without a choice, dates and numbers follow the browser. */
export function applyFormats(): void {
  const formats = chosenFormats();
  setFormats(formats === BROWSER ? null : tagOf(formats));
}
