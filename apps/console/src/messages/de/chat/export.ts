import type { chatExport as English } from '../../en/chat/export.ts';

/** Texts of an exported chat. */
export const chatExport: typeof English = {
  you: 'Sie',
  exported: (time) => `Exportiert am ${time}.`,
  bot: (title) => `Chat mit dem Bot „${title}“.`,
  attached: (name) => `Angehängt: ${name}`,
  image: 'ein Bild',
  tool: (name) => `Tool ${name} aufgerufen.`,
  failed: 'Diese Antwort ist fehlgeschlagen.',
  page: (page) => `Seite ${page}`,
  tooLong: (n) => `Nur die neuesten ${n} Nachrichten sind enthalten.`,
};
