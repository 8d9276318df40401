import type { adminCalls as English } from '../../../en/admin/operations/calls.ts';

export const adminCalls: typeof English = {
  title: 'Aufrufe',
  description:
    'Modellaufrufe von Programmen, ohne Bot, für alle Benutzer und Dienstkonten. Das Ansehen dieser Seite wird im Audit-Log erfasst.',
  start:
    'Programme brauchen ein Zugriffstoken mit der Berechtigung „Modelle ohne Bot aufrufen“. Benutzer erstellen es auf ihrer Kontoseite unter „API-Zugriff“.',
  ofUser: 'Nur Aufrufe dieses Benutzers anzeigen',
  withToken: 'Nur Aufrufe mit diesem Token anzeigen',
};
