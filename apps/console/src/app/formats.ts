import { setFormats } from '../messages/index.ts';

/** Regions whose formats differ, for texts in English. */
export const REGIONS = ['US', 'GB', 'CA', 'AU', 'IN', 'ZA', 'AT', 'CH', 'DK', 'SE'] as const;
export type Region = (typeof REGIONS)[number];
/** `browser` means that the user has not chosen a region. */
export type Formats = Region | 'browser';

const KEY = 'parlance.formats';

export function chosenFormats(): Formats {
  const stored = localStorage.getItem(KEY);
  return REGIONS.find((region) => region === stored) ?? 'browser';
}

export function chooseFormatsOf(formats: Formats): void {
  localStorage.setItem(KEY, formats);
  applyFormats();
}

export const tagOf = (region: Region): string => `en-${region}`;

/** Without a choice, dates and numbers follow the browser. */
export function applyFormats(): void {
  const formats = chosenFormats();
  setFormats(formats === 'browser' ? null : tagOf(formats));
}
