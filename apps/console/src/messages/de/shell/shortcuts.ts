import type { shortcuts as English } from '../../en/shell/shortcuts.ts';

/** Texts of the list of keyboard shortcuts. */
export const shortcuts: typeof English = {
  title: 'Tastenkürzel',
  keys: { control: 'Strg', shift: 'Umschalt', enter: 'Eingabe', escape: 'Esc' },
  everywhere: 'Auf jeder Seite',
  palette: 'Suchen und Befehle ausführen',
  newChat: 'Neuen Chat beginnen',
  navigation: 'Navigation aus- oder einblenden',
  field: 'Zum Nachrichtenfeld',
  list: 'Diese Liste anzeigen',
  inMessage: 'Beim Schreiben einer Nachricht',
  send: 'Nachricht senden',
  newLine: 'Neue Zeile beginnen',
  bot: 'Bot auswählen',
  prompt: 'Am Zeilenanfang: Prompt einfügen',
};
