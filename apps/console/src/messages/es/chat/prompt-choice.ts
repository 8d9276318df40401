import type { promptChoice as English } from '../../en/chat/prompt-choice.ts';
import { plural } from '../../plural.ts';

/** Texts for using a prompt of the library in a message. */
export const promptChoice: typeof English = {
  listLabel: 'Prompts',
  searching: 'Buscando…',
  found: (n) =>
    plural(n, { one: '{n} prompt. Use las teclas de flecha para elegir.', other: '{n} prompts. Use las teclas de flecha para elegir.' }),
  noMatch: 'Ningún prompt coincide.',
  none: 'Aún no hay prompts. Cree uno en «Prompts», en el menú.',
  insert: 'Insertar',
};
