import type { entry as English } from '../en/entry.ts';
import { plural } from '../plural.ts';

/** Texts of the page that connects a model. */
const modelPage: (typeof English)['modelPage'] = {
  title: 'Modell zur Konfiguration hinzufügen',
  description:
    'Für Betreiber: Modelle in der Konfiguration sind nach jeder Neuinstallation gleich und lassen sich in der Konsole nicht ändern. Sie erfordern einen Neustart.',
  withoutRestart: 'Stattdessen ohne Neustart verbinden',
  providerStep: '1. Anbieter auswählen',
  provider: 'Anbieter',
  providers: {
    anthropic: 'Anthropic',
    openai: 'OpenAI',
    bedrock: 'Amazon Bedrock',
    openai_compatible: 'Ein OpenAI-kompatibler Server (vLLM, Ollama, LiteLLM)',
  },
  region: 'Region',
  regionHelp: 'Die integrierten Modelle nutzen Inferenzprofile für US-Regionen.',
  baseUrl: 'Adresse des Servers',
  baseUrlHelp: 'Einschließlich /v1. Parlance muss sie erreichen können.',
  modelName: 'Name des Modells auf dem Server',
  contextWindow: 'Kontextfenster in Token',
  configurationStep: '2. Zur Konfiguration hinzufügen',
  configurationText:
    'Ersetzen Sie den Text in Großbuchstaben durch Ihren Schlüssel. Nutzen Sie entweder die Datei parlance.config.json in dem Ordner, in dem Parlance gestartet wird, oder die Umgebungsvariable. Starten Sie Parlance dann neu.',
  keyNote: 'Schlüssel gehören in die Konfiguration des Servers. Diese Seite fragt nie nach Ihrem Schlüssel und sendet ihn nie.',
  file: 'parlance.config.json',
  variable: 'Umgebungsvariable',
  checkStep: '3. Funktion prüfen',
  checkText: 'Wählen Sie nach dem Neustart eines der verfügbaren Modelle aus. Die Prüfung ist ein kurzer Aufruf, der Ihnen berechnet wird.',
  model: 'Modell',
  reload: 'Liste aktualisieren',
  noModels:
    'Noch ist kein Modell eines Anbieters verfügbar. Ergänzen Sie die Konfiguration, starten Sie Parlance neu und aktualisieren Sie die Liste.',
  check: 'Modell prüfen',
  works: (model, seconds) => `${model} hat in ${seconds} geantwortet.`,
  fails: (model) => `${model} funktioniert noch nicht`,
  startChat: 'Chat damit beginnen',
};

/** Texts of the pages in pages/entry. */
export const entry: typeof English = {
  language: 'Sprache',
  signIn: 'Anmelden',
  signInTitle: 'Bei Parlance anmelden',
  sessionEnded: 'Ihre Sitzung ist beendet. Melden Sie sich an, um fortzufahren. Nicht gesendete Nachrichten bleiben erhalten.',
  email: 'E-Mail',
  password: 'Passwort',
  signInWith: (provider) => `Mit ${provider} anmelden`,
  or: 'oder',
  providerErrors: {
    invalid_oidc_state:
      'Die Anmeldung wurde nicht in diesem Browser begonnen, oder ihr Beginn liegt mehr als zehn Minuten zurück. Beginnen Sie von vorn.',
    oidc_refused:
      'Der Identitätsanbieter hat Ihre Identität nicht bestätigt. Versuchen Sie es erneut und wenden Sie sich an einen Administrator, wenn es wieder geschieht.',
    email_not_verified:
      'Laut Identitätsanbieter ist Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort und melden Sie sich erneut an.',
    email_domain_not_allowed:
      'Adressen Ihrer E-Mail-Domain werden von diesem Anbieter nicht akzeptiert. Bitten Sie einen Administrator um Zugriff.',
    no_such_account:
      'Sie haben hier kein Konto, und bei der Anmeldung über diesen Anbieter wird keines erstellt. Bitten Sie einen Administrator um ein Konto.',
    user_disabled: 'Ihr Konto ist deaktiviert. Bitten Sie einen Administrator, es zu aktivieren.',
    provider_not_found: 'Dieser Identitätsanbieter ist hier nicht mehr konfiguriert. Melden Sie sich auf andere Weise an.',
    oidc_provider_unavailable: 'Der Identitätsanbieter antwortet nicht. Warten Sie eine Minute und versuchen Sie es erneut.',
  },
  providerFailed: (code) =>
    `Die Anmeldung über den Identitätsanbieter ist fehlgeschlagen. Versuchen Sie es erneut. Wenn es wieder geschieht, nennen Sie einem Administrator den Code ${code}.`,
  noAccount: 'Noch kein Konto?',
  forgotten: 'Wenn Sie Ihr Passwort vergessen haben, bitten Sie einen Administrator um einen Link, mit dem Sie ein neues festlegen können.',
  forgottenLink: 'Passwort vergessen?',
  forgottenTitle: 'Passwort per E-Mail zurücksetzen',
  forgottenText: 'Sie erhalten eine E-Mail mit einem Link. Er funktioniert nur einmal und gilt eine Stunde.',
  sendLink: 'Link senden',
  linkSent: (email) =>
    `Wenn ${email} zu einem Benutzer gehört, der sich mit Passwort anmeldet, ist eine E-Mail mit einem Link unterwegs. Wenn in den nächsten Minuten keine ankommt, wenden Sie sich an einen Administrator.`,
  backToSignIn: 'Zurück zur Anmeldung',
  waitSeconds: (n) =>
    plural(n, { one: 'Sie können es in {n} Sekunde erneut versuchen.', other: 'Sie können es in {n} Sekunden erneut versuchen.' }),
  waitMinutes: (n) =>
    plural(n, { one: 'Sie können es in {n} Minute erneut versuchen.', other: 'Sie können es in {n} Minuten erneut versuchen.' }),

  signUp: 'Konto erstellen',
  signUpTitle: 'Konto erstellen',
  firstName: 'Vorname',
  lastName: 'Nachname',
  hasAccount: 'Sie haben schon ein Konto?',
  signUpClosed: 'Die Registrierung ist hier deaktiviert',
  signUpClosedText: 'Bitten Sie einen Administrator dieser Installation um ein Konto.',
  allowedDomains: (domains) => `Nur mit Adressen dieser Domains ist eine Registrierung möglich: ${domains}.`,

  newPassword: 'Neues Passwort',
  temporaryPassword: 'Aktuelles Passwort',
  setPassword: 'Passwort festlegen',
  passwordTitle: 'Neues Passwort wählen',
  passwordText:
    'Ihr Passwort wurde von einer anderen Person festgelegt oder beim Start von Parlance ausgegeben. Wählen Sie eines, das nur Sie kennen.',
  passwordChanged: 'Passwort geändert.',

  invitationTitle: 'Einladung annehmen',
  invitationText: (email) => `Das Konto wird für ${email} erstellt.`,
  invitationIncompleteText: 'Öffnen Sie den vollständigen Link aus der E-Mail. Jeder Link funktioniert nur einmal.',
  accept: 'Konto erstellen',
  verificationTitle: 'E-Mail-Adresse bestätigen',
  verify: 'Adresse bestätigen',
  emailNotVerified:
    'Ihre E-Mail-Adresse ist noch nicht bestätigt. Öffnen Sie den Link in der E-Mail, die Sie erhalten haben, oder fordern Sie eine neue an.',
  signedUpText: (email) =>
    `Konto erstellt. Eine E-Mail mit einem Link ist an ${email} unterwegs. Öffnen Sie den Link und melden Sie sich dann an.`,
  anotherMail: 'Neue E-Mail anfordern',
  verificationSent: (email) =>
    `Eine E-Mail an ${email} ist unterwegs, sofern in den letzten fünf Minuten keine gesendet wurde. Öffnen Sie den Link in der neuesten und melden Sie sich dann erneut an.`,
  verified: 'Adresse bestätigt. Sie können sich jetzt anmelden.',
  resetTitle: 'Neues Passwort festlegen',
  resetText: 'Damit werden alle Ihre Sitzungen beendet. Melden Sie sich danach mit dem neuen Passwort an.',
  resetDone: 'Passwort geändert. Melden Sie sich mit dem neuen an.',
  resetIncomplete: 'Dieser Link ist unvollständig',
  resetIncompleteText: 'Öffnen Sie den vollständigen Link, den Sie erhalten haben. Jeder Link funktioniert nur einmal.',

  welcomeTitle: 'Willkommen bei Parlance',
  welcomeText: 'Sie sind der Administrator dieser Installation. Wählen Sie zu Beginn ein neues Passwort.',
  welcomeStarting: 'Anmeldung läuft …',
  welcomeIncomplete: 'Dieser Link ist unvollständig',
  welcomeIncompleteText: 'Öffnen Sie den vollständigen Link, den Parlance beim Start ausgegeben hat, oder melden Sie sich an.',
  welcomeUsed: 'Dieser Link wurde bereits verwendet. Melden Sie sich mit Ihrem Passwort an.',
  welcomeFailed: 'Dieser Link funktioniert nicht mehr',
  welcomeFailedText:
    'Der Link, den Parlance ausgibt, funktioniert nur, bis das Passwort geändert wird. Melden Sie sich mit Ihrem neuen Passwort an.',

  firstSteps: 'Nächste Schritte',
  hideFirstSteps: 'Diese Vorschläge ausblenden',
  makeBot: 'Bot aus Dateien erstellen',
  makeBotText: 'Laden Sie Dokumente hoch und erhalten Sie Antworten, die daraus zitieren.',
  connectModel: 'Modell verbinden',
  connectModelText: 'Nutzen Sie Modelle von Anthropic, OpenAI oder Amazon Bedrock oder Ihren eigenen Server.',

  modelPage,
};
