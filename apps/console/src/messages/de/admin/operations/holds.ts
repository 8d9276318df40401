import type { holds as English } from '../../../en/admin/operations/holds.ts';

export const holds: typeof English = {
  title: 'Löschsperren',
  description:
    'Eine Löschsperre schützt einen Benutzer oder einen Bot samt seinen Unterhaltungen vor dem Löschen, bis sie aufgehoben wird. Das Ansehen dieser Seite wird im Audit-Log erfasst.',
  create: 'Löschsperre einrichten',
  createTitle: 'Löschsperre einrichten',
  place: 'Löschsperre einrichten',
  emptyTitle: 'Es gibt keine Löschsperren',
  emptyText:
    'Richten Sie mit „Löschsperre einrichten“ eine ein, wenn etwas nicht gelöscht werden darf, zum Beispiel während eines Rechtsstreits.',
  kind: 'Schützen',
  kinds: { user: 'Einen Benutzer mit allen Unterhaltungen', bot: 'Einen Bot mit allen Unterhaltungen' },
  subject: 'Geschützt',
  ofUser: 'Benutzer',
  ofBot: 'Bot',
  userHelp: 'Geben Sie den Anfang eines Namens oder einer E-Mail-Adresse ein.',
  botHelp: 'Geben Sie Wörter aus seinem Titel ein. Bei einem privaten Bot geben Sie seine ID ein.',
  missing: 'Wählen Sie einen Eintrag aus der Liste, oder geben Sie eine ID ein.',
  reason: 'Grund',
  reasonHelp: 'Nur für Administratoren, zum Beispiel ein Aktenzeichen. Er wird gelöscht, wenn die Löschsperre aufgehoben wird.',
  reasonMissing: 'Geben Sie einen Grund ein.',
  placed: 'Eingerichtet',
  by: (name) => `von ${name}`,
  placedNow: 'Löschsperre eingerichtet.',
  end: 'Aufheben',
  endOf: (name) => `Löschsperre für ${name} aufheben`,
  endTitle: 'Löschsperre aufheben?',
  endText: (name) =>
    `${name} und die Unterhaltungen können dann wieder gelöscht werden, sowohl von Benutzern als auch durch Aufbewahrungsregeln. Der Grund wird gelöscht. Sie können später eine neue Löschsperre einrichten.`,
  ended: 'Löschsperre aufgehoben.',
};
