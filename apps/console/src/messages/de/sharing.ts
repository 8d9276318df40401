import type { sharing as English } from '../en/sharing.ts';
import { plural } from '../plural.ts';

export const sharing: typeof English = {
  dialogTitle: (title) => `„${title}“ teilen`,
  dialogText:
    'Der Link zeigt den Chat in seinem jetzigen Stand, von der ersten bis zur neuesten Nachricht. Spätere Nachrichten und Ihr Name werden nicht geteilt.',
  audience: 'Wer ihn lesen kann',
  audiences: { signed_in: 'Angemeldete Benutzer', public: 'Alle' },
  audienceTexts: {
    signed_in: 'Benutzer dieser Installation, die den Link haben.',
    public: 'Alle, die den Link haben, auch ohne eigenes Konto.',
  },
  signedInOnly:
    'Benutzer dieser Installation, die den Link haben, können ihn lesen. Links für Personen ohne Konto sind hier nicht erlaubt.',
  expiry: 'Der Link gilt',
  expiries: { '1': 'einen Tag', '7': '7 Tage', '30': '30 Tage', never: 'bis zum Widerruf' },
  alsoShared: 'Ebenfalls teilen',
  attachments: 'Bilder und Dateien von Nachrichten',
  sources: 'In Antworten zitierte Textstellen',
  make: 'Link erstellen',
  link: 'Link',
  linkOnce: 'Der Link wird nur einmal angezeigt. Kopieren Sie ihn jetzt.',
  links: 'Links dieses Chats',
  noLinks: 'Dieser Chat hat keine Links.',

  pageText: 'Links, mit denen andere Ihre Chats lesen können. Später geschriebene Nachrichten sind nicht enthalten.',
  table: 'Geteilte Links',
  none: 'Sie haben keine Chats geteilt',
  noneText: 'Wählen Sie im Menü eines Chats „Teilen“, um einen Link zu erstellen.',
  chat: 'Chat',
  created: 'Geteilt am',
  expires: 'Endet',
  neverExpires: 'Beim Widerruf',
  messages: (n) => plural(n, { one: '{n} Nachricht', other: '{n} Nachrichten' }),
  withAttachments: 'mit Dateien',
  withSources: 'mit Quellen',
  revoke: 'Widerrufen',
  revokeOf: (title, time) => `Link zu ${title} vom ${time} widerrufen`,
  revokeTitle: 'Link widerrufen?',
  revokeText: 'Der Link funktioniert dann nicht mehr, und seine Kopie des Chats wird gelöscht. Das kann nicht rückgängig gemacht werden.',
  revoked: 'Link widerrufen.',

  untitled: 'Chat ohne Titel',
  sharedOn: (time) => `Dieser Chat wurde am ${time} geteilt. Spätere Nachrichten sind nicht enthalten.`,
  worksUntil: (time) => `Der Link gilt bis ${time}.`,
  sharedMessages: 'Nachrichten',
  asked: 'Frage',
  failedReply: 'Diese Antwort ist fehlgeschlagen.',
  showMore: 'Weitere Nachrichten anzeigen',
  toStart: 'Parlance öffnen',
  signIn: 'Anmelden',
  incomplete: 'Dieser Link ist unvollständig',
  incompleteText: 'Öffnen Sie den vollständigen Link, den Sie erhalten haben.',
  unknown: 'Dieser Link funktioniert nicht',
  unknownText: 'Er ist abgelaufen oder wurde widerrufen. Bitten Sie die Person, die ihn gesendet hat, um einen neuen.',
  unknownSignedOut:
    'Er ist abgelaufen, wurde widerrufen oder ist nur für angemeldete Benutzer. Melden Sie sich an, wenn Sie hier ein Konto haben.',
};
