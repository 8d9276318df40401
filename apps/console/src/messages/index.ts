import { useSyncExternalStore } from 'react';
import { en } from './en/index.ts';
import { CATALOGUES, type Language } from './languages.ts';
import { chooseFormats, chooseLocale } from './locale.ts';
import type { Messages, TextGroups, Translation } from './translation.ts';

export { type Language, languages } from './languages.ts';
export { locale } from './locale.ts';
export type { Messages } from './translation.ts';

let chosen: Language = 'en';
/** The newest request, which may still be loading. */
let requested: Language = 'en';
/** Null for English, whose texts are loaded in groups. */
let translation: Translation | null = null;
let current: Messages = en;
const listeners = new Set<() => void>();

function show(texts: Messages): void {
  current = texts;
  for (const listener of listeners) listener();
}

/** Rejects if the texts cannot be loaded. The language then stays as it is. */
export async function setLanguage(tag: Language): Promise<void> {
  requested = tag;
  const loaded = tag === chosen ? translation : ((await CATALOGUES[tag]?.translation())?.translation ?? null);
  if (tag === chosen || requested !== tag) return;
  chosen = loaded === null ? 'en' : tag;
  translation = loaded;
  chooseLocale(chosen);
  document.documentElement.lang = chosen;
  show(loaded ?? en);
}

/** Formats dates and numbers for the region of a locale tag; null for the browser's own. */
export function setFormats(tag: string | null): void {
  chooseFormats(tag);
  // A new object renders every text again.
  show({ ...current });
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
/** All texts of a language other than English; null for English. */
export const chosenTranslation = (): Translation | null => translation;

/** Returns a function for the texts of a group in the chosen language. The English ones are loaded with the file that calls this. */
export const groupOf =
  <Group extends keyof TextGroups>(group: Group, english: TextGroups[Group]) =>
  (): TextGroups[Group] =>
    translation?.[group] ?? english;

/** Returns a hook for the texts of a group in the chosen language. */
export function hookOf<Group extends keyof TextGroups>(group: Group, english: TextGroups[Group]): () => TextGroups[Group] {
  const texts = groupOf(group, english);
  return function useGroup() {
    // Renders again when another language is chosen.
    useMessages();
    return texts();
  };
}
