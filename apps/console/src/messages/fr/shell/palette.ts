import type { palette as English } from '../../en/shell/palette.ts';

/** Texts of the dialog that Ctrl+K opens. */
export const palette: typeof English = {
  placeholder: 'Pages, actions, conversations et bots',
  placeholderOfAdmin: 'Pages, actions, conversations, bots et personnes',
  noMatch: 'Aucun résultat.',
  searching: 'Recherche…',
  sections: { pages: 'Pages', actions: 'Actions', chats: 'Conversations', bots: 'Bots', people: 'Personnes' },
  failed: 'La recherche a échoué. Saisissez de nouveau le texte pour la relancer.',
  newBot: 'Nouveau bot',
  lightTheme: 'Utiliser le thème clair',
  darkTheme: 'Utiliser le thème sombre',
  systemTheme: 'Utiliser le thème du système',
};
