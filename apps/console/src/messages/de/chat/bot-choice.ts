import type { botChoice as English } from '../../en/chat/bot-choice.ts';
import { plural } from '../../plural.ts';

/** Texts of the lists from which a bot is chosen for a chat. */
export const botChoice: typeof English = {
  yourBots: 'Ihre Bots',
  showBots: 'Ihre Bots einblenden',
  hideBots: 'Ihre Bots ausblenden',
  allBots: 'Alle Bots',
  starred: 'Favoriten',
  pinned: 'Angeheftet',
  listLabel: 'Bots zum Chatten',
  startsChat: 'Beginnt einen neuen Chat mit dem Bot. Ihr Text bleibt erhalten.',
  searching: 'Wird gesucht …',
  found: (n) => plural(n, { one: '{n} Bot. Auswahl mit den Pfeiltasten.', other: '{n} Bots. Auswahl mit den Pfeiltasten.' }),
  noMatch: 'Kein passender Bot.',
  preparing: 'Die Bots werden noch vorbereitet. Sie erscheinen hier, sobald sie bereit sind.',
  noBots: 'Es gibt noch keine Bots.',
  shelfEmpty: 'Hier erscheinen Bots, die Sie favorisieren oder nutzen.',
  toStore: 'Bot im Store suchen',
  create: 'Bot erstellen',
};
