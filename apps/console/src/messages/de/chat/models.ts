import type { modelMenu as English } from '../../en/chat/models.ts';

/** Texts of the menu of models. */
export const modelMenu: typeof English = {
  search: 'Modelle suchen',
  models: 'Modelle',
  noMatch: 'Kein passendes Modell.',
  /** Other abilities are shown by their names. */
  abilities: {
    vision: 'verarbeitet Bilder',
    documents: 'liest Dokumente',
    reasoning: 'kann erst nachdenken',
    prompt_caching: 'speichert Prompts im Cache',
  },
  context: (tokens) => `${tokens} Token Kontext`,
  price: (input, output) => `${input} Eingabe, ${output} Ausgabe pro Million Token`,
  free: 'Kostenlos',
  compare: 'Modelle vergleichen',
  compared: (n) => `${n} ausgewählt. Zwei oder drei Modelle können verglichen werden.`,
  done: 'Fertig',
  noProvider: 'Der Anbieter ist nicht verbunden. Ein Administrator kann ihn verbinden.',
  notOfBot: (bot) => `„${bot}“ nutzt dieses Modell nicht.`,
};
