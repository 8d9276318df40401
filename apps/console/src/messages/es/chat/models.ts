import type { modelMenu as English } from '../../en/chat/models.ts';

/** Texts of the menu of models. */
export const modelMenu: typeof English = {
  search: 'Buscar modelos',
  models: 'Modelos',
  noMatch: 'Ningún modelo coincide.',
  /** Other abilities are shown by their names. */
  abilities: {
    vision: 've imágenes',
    documents: 'lee documentos',
    reasoning: 'puede razonar antes',
    prompt_caching: 'guarda prompts en caché',
  },
  context: (tokens) => `${tokens} tokens de contexto`,
  price: (input, output) => `${input} de entrada, ${output} de salida por millón de tokens`,
  free: 'Gratis',
  compare: 'Comparar modelos',
  compared: (n) =>
    n === 1 ? '1 elegido. Se pueden comparar dos o tres modelos.' : `${n} elegidos. Se pueden comparar dos o tres modelos.`,
  done: 'Listo',
  noProvider: 'Su proveedor no está conectado. Un administrador puede conectarlo.',
  notOfBot: (bot) => `«${bot}» no usa este modelo.`,
};
