import type { MailTexts } from './mail-texts.ts';

/** A body continues the line of the greeting, which ends with a comma, and therefore begins with a small letter. */
export const de: MailTexts = {
  greeting: (name) => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
  chosen:
    'Sie erhalten diese E-Mail, weil Sie E-Mails über Benachrichtigungen eingeschaltet haben. Auf der Seite „Konto“ können Sie sie abschalten.',
  mails: {
    email_verification: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      body: 'öffnen Sie den Link, um Ihre E-Mail-Adresse zu bestätigen. Wenn Sie sich nicht registriert haben, können Sie diese E-Mail ignorieren.',
      link: 'Adresse bestätigen',
    },
    invitation: {
      subject: 'Einladung zu Parlance',
      body: 'ein Administrator hat Sie eingeladen. Öffnen Sie den Link, um ein Passwort zu wählen.',
      link: 'Einladung annehmen',
    },
    password_reset: {
      subject: 'Wählen Sie ein neues Passwort',
      body: 'öffnen Sie den Link, um ein neues Passwort zu wählen. Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt unverändert.',
      link: 'Passwort wählen',
    },
    password_changed: {
      subject: 'Ihr Passwort wurde geändert',
      body: 'das Passwort Ihres Kontos wurde geändert. Wenn Sie das nicht waren, informieren Sie umgehend einen Administrator.',
      link: '',
    },
    second_factor_added: {
      subject: 'Ein zweiter Faktor wurde hinzugefügt',
      body: 'Ihrem Konto wurde ein zweiter Faktor hinzugefügt. Wenn Sie das nicht waren, informieren Sie umgehend einen Administrator.',
      link: '',
    },
    second_factor_removed: {
      subject: 'Ein zweiter Faktor wurde entfernt',
      body: 'ein zweiter Faktor Ihres Kontos wurde entfernt. Wenn Sie das nicht waren, informieren Sie umgehend einen Administrator.',
      link: '',
    },
    second_factors_reset: {
      subject: 'Ihre zweiten Faktoren wurden entfernt',
      body: 'alle zweiten Faktoren Ihres Kontos wurden entfernt. Wenn Sie das nicht angefordert haben, informieren Sie umgehend einen Administrator.',
      link: '',
    },
    token_created: {
      subject: 'Ein persönliches Zugriffstoken wurde erstellt',
      body: 'für Ihr Konto wurde ein persönliches Zugriffstoken erstellt. Programme können damit in Ihrem Namen handeln. Wenn Sie das nicht waren, informieren Sie umgehend einen Administrator.',
      link: '',
    },
    budget_nearly_reached: {
      subject: 'Ihr Budget ist zum größten Teil aufgebraucht',
      body: 'mindestens 80\u00a0% Ihres Budgets sind ausgegeben. Die Seite „Nutzung“ zeigt, wie viel noch übrig ist und wann der nächste Zeitraum beginnt.',
      link: '',
    },
    budget_reached: {
      subject: 'Ihr Budget ist aufgebraucht',
      body: 'der Rest Ihres Budgets reicht nicht für die nächste Nachricht. Die Seite „Nutzung“ zeigt, wann der nächste Zeitraum beginnt.',
      link: '',
    },
    own_export_ready: {
      subject: 'Ihr Datenexport ist fertig',
      body: 'der Export Ihrer Daten ist fertig. Melden Sie sich an, um die Datei herunterzuladen. Die Datei wird einen Tag lang aufbewahrt. Wenn Sie das nicht angefordert haben, informieren Sie umgehend einen Administrator.',
      link: 'Seite „Ihre Daten“ öffnen',
    },
    own_export_ready_by_admin: {
      subject: 'Ein Administrator hat Ihre Daten für Sie exportiert',
      body: 'ein Administrator hat einen Export Ihrer Daten angefordert. Nur Sie können die Datei herunterladen: Melden Sie sich dafür innerhalb eines Tages an.',
      link: 'Seite „Ihre Daten“ öffnen',
    },
    bot_shared: {
      subject: 'Ein Bot wurde mit Ihnen geteilt',
      body: 'ein Bot wurde mit Ihnen geteilt.',
      link: 'Bot öffnen',
    },
    prompt_shared: {
      subject: 'Ein Prompt wurde mit Ihnen geteilt',
      body: 'ein Prompt wurde mit Ihnen geteilt.',
      link: 'Prompt öffnen',
    },
    project_shared: {
      subject: 'Ein Projekt wurde mit Ihnen geteilt',
      body: 'Sie wurden zu einem Projekt hinzugefügt.',
      link: 'Projekt öffnen',
    },
    approval_wanted: {
      subject: 'Eine Antwort wartet auf Ihre Genehmigung',
      body: 'eine Antwort in einem Ihrer Chats wartet darauf, dass Sie den Aufruf eines Tools genehmigen oder ablehnen.',
      link: 'Chat öffnen',
    },
    budget_threshold: {
      subject: 'Ein Budget ist fast aufgebraucht',
      body: 'mindestens 80\u00a0% eines Budgets sind ausgegeben.',
      link: 'Budgets öffnen',
    },
    budget_spent: {
      subject: 'Ein Budget ist aufgebraucht',
      body: 'der Rest eines Budgets reicht nicht für die nächste Nachricht oder den nächsten Aufruf.',
      link: 'Budgets öffnen',
    },
  },
};
