import type { adminTokens as English } from '../../en/admin/tokens.ts';

/** Texts of service accounts. */
const accounts: (typeof English)['accounts'] = {
  description:
    'Benutzer nur für Programme. Sie haben kein Passwort und können sich nicht anmelden: Programme handeln mit Zugriffstoken für sie.',
  create: 'Neues Dienstkonto',
  emptyTitle: 'Es gibt keine Dienstkonten',
  emptyText:
    'Wählen Sie „Neues Dienstkonto“, um eines für ein Programm zu erstellen, das nicht für einen einzelnen Benutzer handelt, etwa für einen Import.',
  name: 'Name',
  nameHelp: 'Zum Beispiel der Name des Programms.',
  nameMissing: 'Geben Sie einen Namen ein.',
  owner: 'Eigentümer',
  ownerHelp: 'Die Gruppe, der das Konto gehört. Das Konto ist ihr Mitglied und hat ihre Rechte.',
  ownerMissing: 'Wählen Sie eine Gruppe aus.',
  chooseGroup: 'Gruppe auswählen',
  ownerGone: 'gelöscht',
  ownerGoneText: 'Die Gruppe, der das Konto gehört, wurde gelöscht. Seine Token werden nicht akzeptiert.',
  furtherGroups: 'Weitere Gruppen',
  groups: 'Gruppen',
  groupsText: 'Die Gruppen bestimmen die Rechte des Dienstkontos. Eine Änderung gilt sofort für alle seine Token.',
  state: 'Status',
  enabled: 'Aktiviert',
  disabled: 'Deaktiviert',
  created: 'Erstellt',
  createdNow: 'Dienstkonto erstellt. Erstellen Sie ein Token für sein Programm.',
  facts: 'Konto',
  id: 'Benutzer-ID',
  all: 'Alle Dienstkonten',
  gone: 'Dieses Dienstkonto gibt es nicht',
  goneText: 'Es wurde möglicherweise gelöscht. Seine Kosten sind weiterhin in allen Summen enthalten.',
  rename: 'Umbenennen',
  renameTitle: 'Dienstkonto umbenennen',
  renamed: 'Name gespeichert.',
  disable: 'Deaktivieren',
  disableTitle: 'Dienstkonto deaktivieren?',
  disableText: 'Anfragen mit seinen Token werden ab sofort abgelehnt. Es wird nichts gelöscht, und Sie können es wieder aktivieren.',
  disabledNow: 'Dienstkonto deaktiviert.',
  enable: 'Aktivieren',
  enabledNow: 'Dienstkonto aktiviert. Seine Token werden wieder akzeptiert.',
  deleteTitle: (name) => `${name} löschen?`,
  deleteText:
    'Das Dienstkonto, seine Token und seine Inhalte wie Bots und Unterhaltungen werden aus allen Diensten entfernt. Die Kostensummen bleiben unverändert. Das kann nicht rückgängig gemacht werden.',
  deleteForever: 'Endgültig löschen',
  deletedTitle: 'Dienstkonto gelöscht',
  tokens: 'Zugriffstoken',
  noTokens: 'Das Dienstkonto hat keine Zugriffstoken',
  tokensText: 'Geben Sie jedem Programm ein eigenes Token, damit Sie es einzeln widerrufen können.',
};

/** Texts of the list of all tokens. */
const all: (typeof English)['all'] = {
  title: 'Zugriffstoken',
  description:
    'Die Zugriffstoken aller Benutzer und Dienstkonten, die ältesten zuerst. Das Ansehen dieser Seite wird im Audit-Log erfasst.',
  owner: 'Handelt für',
  by: (name) => `Erstellt von ${name}`,
  none: 'Es gibt keine Zugriffstoken',
  noneText: 'Benutzer erstellen sie auf ihrer Kontoseite, Administratoren auf den Seiten der Dienstkonten.',
};

export const adminTokens: typeof English = { accounts, all };
