import { projects } from './en/projects.ts';
import { chosenLanguage, type Language, useMessages } from './index.ts';

/** Loaded with the list of projects, after the chats. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof projects>> = { en: projects };

/** The texts about projects in the chosen language. */
export function useProjectMessages(): typeof projects {
  useMessages();
  return TEXTS[chosenLanguage()];
}
