import type { chatExport as English } from '../../en/chat/export.ts';

/** Texts of an exported chat. */
export const chatExport: typeof English = {
  you: 'Usuario',
  exported: (time) => `Exportado el ${time}.`,
  bot: (title) => `Chat con el bot «${title}».`,
  attached: (name) => `Adjunto: ${name}`,
  image: 'una imagen',
  tool: (name) => `Llamada a la herramienta ${name}.`,
  failed: 'Esta respuesta falló.',
  page: (page) => `página ${page}`,
  tooLong: (n) => `Solo se incluyen los ${n} mensajes más recientes.`,
};
