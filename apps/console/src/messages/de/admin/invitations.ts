import type { adminInvitations as English } from '../../en/admin/invitations.ts';

/** Texts of invitations. */
export const adminInvitations: typeof English = {
  description:
    'Personen, die einen Link zum Erstellen ihres Kontos erhalten haben. Ein Link funktioniert nur einmal und gilt sieben Tage. Das Ansehen dieser Seite wird im Audit-Log erfasst.',
  create: 'Person einladen',
  send: 'Einladung senden',
  sent: (email) => `Einladung an ${email} gesendet.`,
  emptyTitle: 'Es gibt keine offenen Einladungen',
  emptyText: 'Wählen Sie „Person einladen“, um eine zu senden. Wer angenommen hat, steht in der Liste der Benutzer.',
  email: 'E-Mail',
  emailHelp: 'Eine frühere Einladung an diese Adresse wird ersetzt.',
  firstName: 'Vorname',
  lastName: 'Nachname',
  groups: 'Gruppen',
  groupsHelp: 'Wenn keine ausgewählt ist, erhält die Person die Gruppen, die alle neuen Benutzer erhalten.',
  noGroups: 'Keine',
  created: 'Gesendet',
  by: (name) => `von ${name}`,
  expires: 'Gültig bis',
  revoke: 'Widerrufen',
  revokeOf: (email) => `Einladung an ${email} widerrufen`,
  revokeTitle: 'Einladung widerrufen?',
  revokeText: (email) => `Der Link in der E-Mail an ${email} funktioniert dann nicht mehr.`,
  revoked: 'Einladung widerrufen.',
};
