import type { promptChoice as English } from '../../en/chat/prompt-choice.ts';
import { plural } from '../../plural.ts';

/** Texts for using a prompt of the library in a message. */
export const promptChoice: typeof English = {
  listLabel: 'Prompts',
  searching: 'Recherche…',
  found: (n) =>
    plural(n, {
      one: '{n} prompt. Utilisez les flèches pour choisir.',
      other: '{n} prompts. Utilisez les flèches pour choisir.',
    }),
  noMatch: 'Aucun prompt ne correspond.',
  none: 'Il n’y a pas encore de prompts. Créez-en un sous « Prompts » dans le menu.',
  insert: 'Insérer',
};
