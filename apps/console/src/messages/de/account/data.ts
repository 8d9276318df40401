import type { data as English } from '../../en/account/data.ts';
import { plural } from '../../plural.ts';

/** Texts of the page with the user's own data. */
export const data: typeof English = {
  exportTitle: 'Export',
  exportText: 'Eine ZIP-Datei mit Ihren Unterhaltungen samt Dateien, Ihren Bots, Bewertungen und Ihrer Nutzung.',
  noExport: 'Sie haben keinen Export.',
  request: 'Export anfordern',
  requestAgain: 'Neuen Export anfordern',
  removeExport: 'Export entfernen',
  giveUp: 'Export abbrechen',
  removeTitle: 'Export entfernen?',
  removeText: 'Die Datei und ihr Download-Link werden entfernt. Sie können jederzeit einen neuen Export anfordern.',
  exportRemoved: 'Export entfernt.',
  replaces: 'Ein neuer Export ersetzt diesen.',
  requested: 'Export angefordert.',
  byAdmin: 'Ein Administrator hat diesen Export für Sie angefordert.',
  waiting: 'Der Export ist in der Warteschlange.',
  writing: (written, all) => `${written} von ${all} Unterhaltungen geschrieben.`,
  begun: 'Der Export wird geschrieben.',
  ready: 'Der Export ist fertig.',
  failed: 'Der Export konnte nicht geschrieben werden, weil einige Daten nicht lesbar waren. Fordern Sie einen neuen an.',
  gone: 'Der Export wurde entfernt. Fordern Sie einen neuen an.',
  size: 'Größe',
  conversations: 'Unterhaltungen',
  requestedAt: 'Angefordert',
  removedAt: 'Wird entfernt',
  secret: 'Wer die Datei oder ihren Download-Link hat, kann Ihre Daten lesen.',
  download: 'Herunterladen',

  importTitle: 'Unterhaltungen importieren',
  importText:
    'Eine Datei aus Parlance, ChatGPT oder Claude: das exportierte ZIP oder seine conversations.json. Importiert wird erst, nachdem Sie gesehen haben, was die Datei enthält.',
  choose: 'Datei auswählen',
  chooseAnother: 'Andere Datei auswählen',
  tooLarge:
    'Die Datei ist größer als 16 MiB. Entnehmen Sie dem ZIP die Datei conversations.json, oder teilen Sie sie in mehrere Dateien auf.',
  reading: (name) => `${name} wird gelesen …`,
  sources: { parlance: 'Parlance', chatgpt: 'ChatGPT', claude: 'Claude' },
  found: (source, n) =>
    plural(n, {
      one: `Die Datei aus ${source} enthält {n} neue Unterhaltung.`,
      other: `Die Datei aus ${source} enthält {n} neue Unterhaltungen.`,
    }),
  foundPart: 'Die Datei konnte in der verfügbaren Zeit nicht ganz gelesen werden und enthält möglicherweise mehr.',
  unchanged: (n) => plural(n, { one: '{n} Unterhaltung ist schon vorhanden.', other: '{n} Unterhaltungen sind schon vorhanden.' }),
  deleted: (n) =>
    plural(n, {
      one: '{n} Unterhaltung wurde hier gelöscht und bleibt gelöscht.',
      other: '{n} Unterhaltungen wurden hier gelöscht und bleiben gelöscht.',
    }),
  leftOut: 'Was übersprungen wird',
  reason: 'Grund',
  inConversations: 'Unterhaltungen',
  times: 'Anzahl',
  leftOutPart: (shown, all) => `In ${shown} von ${all} Einträgen gezählt.`,
  allTaken: 'Nichts wird übersprungen.',
  start: (n) => plural(n, { one: '{n} Unterhaltung importieren', other: '{n} Unterhaltungen importieren' }),
  goOn: 'Rest importieren',
  importing: (n) => plural(n, { one: 'Bisher {n} Unterhaltung importiert …', other: 'Bisher {n} Unterhaltungen importiert …' }),
  imported: (n) => plural(n, { one: '{n} Unterhaltung wurde importiert.', other: '{n} Unterhaltungen wurden importiert.' }),
  incomplete: 'Der Server konnte in der verfügbaren Zeit nicht alle importieren.',
};
