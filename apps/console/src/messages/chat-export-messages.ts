import { chatExport } from './en/chat/export.ts';
import { chosenLanguage, type Language } from './index.ts';

/** Loaded when a chat is exported. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof chatExport>> = { en: chatExport };

/** The texts of an exported chat, in the chosen language. */
export const chatExportMessages = (): typeof chatExport => TEXTS[chosenLanguage()];
