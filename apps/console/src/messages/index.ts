import { useSyncExternalStore } from 'react';
import { en } from './en/index.ts';
import { chooseFormats, chooseLocale } from './locale.ts';

export { locale } from './locale.ts';

/** The texts every language needs at the start. The files *-messages.ts beside this one hold those that are loaded later. */
export type Messages = typeof en;

/** Languages by their tags. Others are loaded when they are chosen. */
const LOADERS = { en: async () => en } satisfies Record<string, () => Promise<Messages>>;
export type Language = keyof typeof LOADERS;
export const languages = Object.keys(LOADERS) as readonly Language[];

let chosen: Language = 'en';
let current: Messages = en;
const listeners = new Set<() => void>();

export async function setLanguage(tag: Language): Promise<void> {
  current = await LOADERS[tag]();
  chosen = tag;
  chooseLocale(tag);
  document.documentElement.lang = tag;
  for (const listener of listeners) listener();
}

/** Formats dates and numbers for the region of a locale tag; null for the browser's own. */
export function setFormats(tag: string | null): void {
  chooseFormats(tag);
  // A new object renders every text again.
  current = { ...current };
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The texts of the chosen language. */
export const useMessages = (): Messages => useSyncExternalStore(subscribe, () => current);
/** The language of the texts. */
export const chosenLanguage = (): Language => chosen;
/** For code outside of components. */
export const messages = (): Messages => current;
