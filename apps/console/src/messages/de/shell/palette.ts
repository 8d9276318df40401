import type { palette as English } from '../../en/shell/palette.ts';

/** Texts of the dialog that Ctrl+K opens. */
export const palette: typeof English = {
  placeholder: 'Seiten, Aktionen, Chats und Bots',
  placeholderOfAdmin: 'Seiten, Aktionen, Chats, Bots und Personen',
  noMatch: 'Nichts gefunden.',
  searching: 'Wird gesucht …',
  sections: { pages: 'Seiten', actions: 'Aktionen', chats: 'Chats', bots: 'Bots', people: 'Personen' },
  failed: 'Die Suche ist fehlgeschlagen. Ändern Sie den Text, um sie zu wiederholen.',
  newBot: 'Neuer Bot',
  lightTheme: 'Helle Farben verwenden',
  darkTheme: 'Dunkle Farben verwenden',
  systemTheme: 'Farben des Systems verwenden',
};
