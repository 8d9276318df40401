import type { chatExport as English } from '../../en/chat/export.ts';

/** Texts of an exported chat. */
export const chatExport: typeof English = {
  you: 'Vous',
  exported: (time) => `Exporté le ${time}.`,
  bot: (title) => `Conversation avec le bot « ${title} ».`,
  attached: (name) => `Fichier joint : ${name}`,
  image: 'une image',
  tool: (name) => `Appel de l’outil ${name}.`,
  failed: 'Cette réponse a échoué.',
  page: (page) => `page ${page}`,
  tooLong: (n) => `Seuls les ${n} messages les plus récents sont inclus.`,
};
