import type { retention as English } from '../../../en/admin/operations/retention.ts';
import { plural } from '../../../plural.ts';

export const retention: typeof English = {
  title: 'Aufbewahrung',
  description:
    'Regeln, die alte Unterhaltungen, die Dateien alter Nachrichten oder alte Exporte löschen. Ohne Regel löschen nur Benutzer Unterhaltungen.',
  create: 'Neue Regel',
  createTitle: 'Neue Aufbewahrungsregel',
  createText: 'Die Regel löscht noch nichts. Im nächsten Schritt sehen Sie, wie viel sie löschen würde, und können sie aktivieren.',
  changeTitle: 'Regel ändern',
  changeText:
    'Wenn Sie eine Änderung speichern, wird die Regel deaktiviert. Im nächsten Schritt sehen Sie, wie viel sie löschen würde, und können sie wieder aktivieren.',
  emptyTitle: 'Es gibt keine Regeln',
  emptyText: 'Unterhaltungen bleiben erhalten, bis ihre Benutzer sie löschen. Erstellen Sie mit „Neue Regel“ eine Regel.',
  kind: 'Was sie löscht',
  kinds: { conversations: 'Unterhaltungen', exports: 'Exporte von Unterhaltungen', uploads: 'Dateien in Unterhaltungen' },
  kindsHelp:
    'Exporte sind die stündlichen und täglichen Dateien für Administratoren. Wenn Exporte oder die Bilder und Anhänge von Nachrichten entfernt werden, bleiben die Unterhaltungen erhalten.',
  allExports: 'Alle Exporte',
  appliesTo: 'Gilt für',
  filesOf: (subject) => `Dateien: ${subject}`,
  scopes: { all: 'Alle Unterhaltungen', bot: 'Unterhaltungen mit einem Bot', group: 'Unterhaltungen einer Gruppe' },
  scopesHelp: 'Eine Unterhaltung wird gelöscht, sobald eine aktivierte Regel auf sie zutrifft.',
  scopesHelpForFiles: 'Die Dateien einer Nachricht werden entfernt, sobald eine aktivierte Regel auf ihre Unterhaltung zutrifft.',
  bot: 'Bot',
  botHelp:
    'Geben Sie Wörter aus seinem Titel ein. Bei einem privaten Bot geben Sie seine ID ein. Auch Unterhaltungen seiner veröffentlichten API werden gelöscht.',
  group: 'Gruppe',
  groupHelp:
    'Gilt für Unterhaltungen von Benutzern, die beim Ausführen der Regel in der Gruppe sind, aber nicht für Unterhaltungen ihrer veröffentlichten APIs.',
  missingBot: 'Wählen Sie einen Bot aus der Liste, oder geben Sie seine ID ein.',
  missingGroup: 'Wählen Sie eine Gruppe aus.',
  days: 'Tage nach der letzten Nachricht',
  daysColumn: 'Tage',
  daysOfExports: 'Tage nach dem Tag des Exports',
  daysOfUploads: 'Tage nach der Nachricht',
  daysHelp: '1 bis 3.650.',
  daysMissing: 'Geben Sie eine Anzahl von 1 bis 3.650 Tagen ein.',
  after: (days) => plural(days, { one: 'Nach {n} Tag', other: 'Nach {n} Tagen' }),
  ruleOf: (name, days) => plural(days, { one: `${name}, nach {n} Tag`, other: `${name}, nach {n} Tagen` }),
  state: 'Status',
  enabled: 'Aktiviert',
  disabled: 'Deaktiviert',
  created: 'Erstellt',
  enable: 'Aktivieren',
  enableOf: (rule) => `Regel aktivieren: ${rule}`,
  disable: 'Deaktivieren',
  disableOf: (rule) => `Regel deaktivieren: ${rule}`,
  change: 'Ändern',
  changeOf: (rule) => `Regel ändern: ${rule}`,
  removeOf: (rule) => `Regel entfernen: ${rule}`,
  enableTitle: 'Regel aktivieren?',
  counting: 'Wird gezählt …',
  wouldDelete: (n) =>
    plural(n, {
      one: 'Die Regel löscht innerhalb weniger Minuten {n} Unterhaltung und weitere, sobald sie alt genug sind.',
      other: 'Die Regel löscht innerhalb weniger Minuten {n} Unterhaltungen und weitere, sobald sie alt genug sind.',
    }),
  wouldDeleteMore: (n) =>
    plural(n, {
      one: 'Die Regel löscht innerhalb weniger Minuten mindestens {n} Unterhaltung und weitere, sobald sie alt genug sind. Nicht alle wurden gezählt.',
      other:
        'Die Regel löscht innerhalb weniger Minuten mindestens {n} Unterhaltungen und weitere, sobald sie alt genug sind. Nicht alle wurden gezählt.',
    }),
  wouldDeleteNone: 'Derzeit ist keine Unterhaltung alt genug. Die Regel löscht Unterhaltungen, sobald sie alt genug sind.',
  wouldDeleteResponses: (n) =>
    plural(n, {
      one: 'Sie löscht auch {n} Antwort, die ein Programm gespeichert hat.',
      other: 'Sie löscht auch {n} Antworten, die Programme gespeichert haben.',
    }),
  wouldRemoveExports: (n) =>
    plural(n, {
      one: 'Die Regel entfernt innerhalb weniger Minuten {n} Datei und weitere, sobald sie alt genug sind.',
      other: 'Die Regel entfernt innerhalb weniger Minuten {n} Dateien und weitere, sobald sie alt genug sind.',
    }),
  wouldRemoveMore: (n) =>
    plural(n, {
      one: 'Die Regel entfernt innerhalb weniger Minuten mindestens {n} Datei und weitere, sobald sie alt genug sind. Nicht alle wurden gezählt.',
      other:
        'Die Regel entfernt innerhalb weniger Minuten mindestens {n} Dateien und weitere, sobald sie alt genug sind. Nicht alle wurden gezählt.',
    }),
  wouldRemoveNoUploads: 'Derzeit ist keine Datei alt genug. Die Regel entfernt Dateien, sobald sie alt genug sind.',
  uploadsAreGone:
    'Entfernte Dateien können nicht wiederhergestellt werden. Die Nachrichten bleiben erhalten und zeigen, dass die Dateien entfernt wurden.',
  enableAndRemoveMore: (n) =>
    plural(n, { one: 'Aktivieren und mindestens {n} Datei entfernen', other: 'Aktivieren und mindestens {n} Dateien entfernen' }),
  wouldRemoveNoExports: 'Derzeit ist kein Export alt genug. Die Regel entfernt Dateien, sobald sie alt genug sind.',
  exportsAreWritten: 'Ohne die Regel werden Exporte der letzten 400 Tage aus den noch vorhandenen Unterhaltungen neu geschrieben.',
  enableAndRemove: (n) => plural(n, { one: 'Aktivieren und {n} Datei entfernen', other: 'Aktivieren und {n} Dateien entfernen' }),
  cannotBeUndone: 'Gelöschte Unterhaltungen können nicht wiederhergestellt werden. Die Kosten bleiben in den Summen.',
  keptDisabled: 'Wenn Sie abbrechen, bleibt die Regel deaktiviert und löscht nichts.',
  enableAndDelete: (n) => plural(n, { one: 'Aktivieren und {n} Unterhaltung löschen', other: 'Aktivieren und {n} Unterhaltungen löschen' }),
  enableAndDeleteMore: (n) =>
    plural(n, {
      one: 'Aktivieren und mindestens {n} Unterhaltung löschen',
      other: 'Aktivieren und mindestens {n} Unterhaltungen löschen',
    }),
  stale: 'Diese Regel wurde geändert, seit Sie den Dialog geöffnet haben. Schließen Sie den Dialog, um die aktuellen Werte zu sehen.',
  saved: 'Regel gespeichert. Sie ist deaktiviert.',
  enabledNow: 'Regel aktiviert.',
  disabledNow: 'Regel deaktiviert. Sie löscht nichts mehr.',
  removeTitle: 'Regel entfernen?',
  removeText: (rule) => `Die Regel „${rule}“ löscht dann nichts mehr. Was sie bereits gelöscht hat, wird nicht wiederhergestellt.`,
  removed: 'Regel entfernt.',
};
