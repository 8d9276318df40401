import type { MailTexts } from './mail-texts.ts';

export const de: MailTexts = {
  greeting: (name) => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
  mails: {
    email_verification: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      body: 'Öffnen Sie den Link, um Ihre E-Mail-Adresse zu bestätigen. Wenn Sie sich nicht registriert haben, ignorieren Sie diese E-Mail.',
      link: 'Adresse bestätigen',
    },
    invitation: {
      subject: 'Einladung zu Parlance',
      body: 'Ein Administrator hat Sie eingeladen. Öffnen Sie den Link, um ein Passwort zu wählen.',
      link: 'Einladung annehmen',
    },
    password_reset: {
      subject: 'Wählen Sie ein neues Passwort',
      body: 'Öffnen Sie den Link, um ein neues Passwort zu wählen. Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Ihr Passwort bleibt gleich.',
      link: 'Passwort wählen',
    },
    password_changed: {
      subject: 'Ihr Passwort wurde geändert',
      body: 'Das Passwort Ihres Kontos wurde geändert. Wenn Sie das nicht getan haben, informieren Sie jetzt einen Administrator.',
      link: '',
    },
    second_factor_added: {
      subject: 'Ein zweiter Faktor wurde hinzugefügt',
      body: 'Ihrem Konto wurde ein zweiter Faktor hinzugefügt. Wenn Sie das nicht getan haben, informieren Sie jetzt einen Administrator.',
      link: '',
    },
    second_factor_removed: {
      subject: 'Ein zweiter Faktor wurde entfernt',
      body: 'Ein zweiter Faktor Ihres Kontos wurde entfernt. Wenn Sie das nicht getan haben, informieren Sie jetzt einen Administrator.',
      link: '',
    },
    second_factors_reset: {
      subject: 'Ihre zweiten Faktoren wurden entfernt',
      body: 'Alle zweiten Faktoren Ihres Kontos wurden entfernt. Wenn Sie das nicht angefordert haben, informieren Sie jetzt einen Administrator.',
      link: '',
    },
    token_created: {
      subject: 'Ein persönliches Zugriffstoken wurde erstellt',
      body: 'Für Ihr Konto wurde ein persönliches Zugriffstoken erstellt. Programme können damit für Sie handeln. Wenn Sie das nicht getan haben, informieren Sie jetzt einen Administrator.',
      link: '',
    },
    budget_nearly_reached: {
      subject: 'Der größte Teil Ihres Budgets ist ausgegeben',
      body: 'Mindestens 80 % Ihres Budgets sind ausgegeben. Die Seite zur Nutzung zeigt, wie viel noch übrig ist und wann der nächste Zeitraum beginnt.',
      link: '',
    },
    budget_reached: {
      subject: 'Ihr Budget ist erreicht',
      body: 'Der Rest Ihres Budgets reicht nicht für die nächste Nachricht. Die Seite zur Nutzung zeigt, wann der nächste Zeitraum beginnt.',
      link: '',
    },
    own_export_ready: {
      subject: 'Ihre Daten sind bereit',
      body: 'Der Export Ihrer Daten ist fertig. Melden Sie sich an, um die Datei herunterzuladen. Sie wird einen Tag lang aufbewahrt. Wenn Sie das nicht angefordert haben, informieren Sie jetzt einen Administrator.',
      link: 'Die Seite „Ihre Daten“ öffnen',
    },
    own_export_ready_by_admin: {
      subject: 'Ein Administrator hat Ihre Daten für Sie exportiert',
      body: 'Ein Administrator hat einen Export Ihrer Daten angefordert. Nur Sie können die Datei herunterladen: Melden Sie sich dafür innerhalb eines Tages an.',
      link: 'Die Seite „Ihre Daten“ öffnen',
    },
  },
};
