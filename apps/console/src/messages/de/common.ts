import type { ExceededBudget } from '@parlance/client';
import type { common as English } from '../en/common.ts';

const PERIODS = { DAY: 'Tagesbudget', WEEK: 'Wochenbudget', MONTH: 'Monatsbudget' };
const OWNERS = {
  all: 'aller Benutzer',
  bot: 'dieses Bots',
  key: 'dieses API-Schlüssels',
  token: 'dieses Tokens',
  cost_centre: 'dieser Kostenstelle',
};

function nameOfBudget({ scope, group, period }: ExceededBudget): string {
  if (scope === 'user') return `Ihr ${PERIODS[period]}`;
  return `Das ${PERIODS[period]} ${scope === 'group' ? `der Gruppe ${group}` : OWNERS[scope]}`;
}

export const common: typeof English = {
  appName: 'Parlance',
  save: 'Speichern',
  passwordHelp: 'Mindestens 8 Zeichen.',
  showPassword: 'Passwort anzeigen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  delete: 'Löschen',
  remove: 'Entfernen',
  create: 'Erstellen',
  search: 'Suchen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Der Browser hat das Kopieren nicht erlaubt. Markieren Sie den Text und kopieren Sie ihn.',
  retry: 'Erneut versuchen',
  back: 'Zurück',
  previous: 'Zurück',
  next: 'Weiter',
  more: 'Mehr',
  loading: 'Wird geladen …',
  late: 'Der Server antwortet langsam. Wird geladen …',
  optional: 'optional',
  actions: 'Aktionen',
  downloadCsv: 'CSV herunterladen',
  asOf: (time) => `Stand: ${time}`,
  named: (name, value) => `${name}: ${value}`,
  requestId: (id) => `Anfrage-ID: ${id}`,
  errorTitle: 'Das Laden ist fehlgeschlagen',
  retriedLater: 'Die Seite versucht es automatisch erneut.',
  partMissing: 'Ein Teil dieser Seite konnte nicht geladen werden. Speichern Sie Ihre Änderungen, und laden Sie die Seite dann neu.',
  noAnswer: 'Der Server hat nicht geantwortet. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  secretLost:
    'Die Antwort mit den geheimen Daten ist verloren gegangen, und der Server hat keine Kopie. Löschen Sie den neuen Eintrag und erstellen Sie einen anderen.',
  budgetExceeded: (budget, time) => `${nameOfBudget(budget)} reicht nicht mehr aus. Es beginnt am ${time} neu.`,
  stepUpNeeded: 'Es wurde nichts geändert. Versuchen Sie es erneut und bestätigen Sie mit Ihrem zweiten Faktor.',
  offline: 'Keine Verbindung zum Server. Sobald die Verbindung wieder besteht, geht es hier weiter.',
  notFoundTitle: 'Diese Seite gibt es nicht',
  notFoundText: 'Prüfen Sie die Adresse.',
  toStart: 'Zur Startseite',
  noAccessTitle: 'Diese Seite ist für Administratoren',
  noAccessText: 'Bitten Sie einen Administrator dieser Installation um Zugriff.',
  skipToContent: 'Zum Inhalt springen',
  menu: 'Menü',
  openMenu: 'Menü öffnen',
  closeMenu: 'Menü schließen',
  hideNavigation: 'Navigation ausblenden',
  showNavigation: 'Navigation einblenden',
  commands: 'Suche und Befehle',
  account: 'Konto',
  signOut: 'Abmelden',
  newChat: 'Neuer Chat',
  chats: 'Chats',
  bots: 'Bots',
  store: 'Store',
  prompts: 'Prompts',
  admin: 'Administration',
};
