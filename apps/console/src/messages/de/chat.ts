import type { chat as English } from '../en/chat.ts';
import { locale } from '../locale.ts';
import { plural } from '../plural.ts';

/** Texts of the pages in pages/chat. */
export const chat: typeof English = {
  newTitle: 'Wie kann ich helfen?',
  newText: 'Stellen Sie eine Frage, oder wählen Sie mit @ einen Bot aus.',
  unknownTitle: 'Diesen Chat gibt es nicht',
  unknownText: 'Er wurde gelöscht oder gehört einem anderen Benutzer.',
  untitled: 'Chat ohne Titel',
  placeholder: 'Nachricht schreiben',
  chooseReply: 'Wählen Sie oben eine Antwort aus, bevor Sie die nächste Nachricht senden.',
  askBot: (bot) => `${bot} fragen`,
  composer: 'Neue Nachricht',
  message: 'Nachricht',
  messages: 'Nachrichten',
  send: 'Senden',
  stop: 'Antwort stoppen',
  sending: 'Wird gesendet …',
  notSent: 'Die Nachricht wurde nicht gesendet',
  notSentBecauseOf: (file) => `Die Nachricht wurde wegen ${file} nicht gesendet`,
  retryIn: (seconds) =>
    plural(seconds, { one: 'Sie können sie in {n} Sekunde erneut senden.', other: 'Sie können sie in {n} Sekunden erneut senden.' }),
  retryAt: (time) => `Sie können sie ab dem ${time} erneut senden.`,
  retryNow: 'Sie können sie jetzt erneut senden.',
  starters: 'Vorschläge',
  botNotReady: {
    QUEUED: 'Das Wissen dieses Bots wird noch eingelesen. Bis dahin nutzen Antworten es möglicherweise nicht.',
    RUNNING: 'Das Wissen dieses Bots wird noch eingelesen. Bis dahin nutzen Antworten es möglicherweise nicht.',
    FAILED: 'Das Wissen dieses Bots konnte nicht eingelesen werden. Antworten nutzen nur, was früher eingelesen wurde.',
  },
  botUnavailable: 'Dieser Bot ist für Sie nicht verfügbar. Er wurde gelöscht oder wird nicht mehr geteilt.',
  modelsUnknown: 'Die Modelle konnten nicht geladen werden. Laden Sie die Seite neu.',
  noModel: 'Es ist kein Modell verfügbar. Ein Administrator muss eines verbinden.',
  model: 'Modell',
  reason: 'Erst nachdenken',
  temporary: 'Temporär',
  temporaryText: (hours) =>
    `Dieser Chat erscheint weder in Listen noch in Suchen und wird ${
      hours === undefined ? 'einige Stunden' : plural(hours, { one: '{n} Stunde', other: '{n} Stunden' })
    } nach der letzten Nachricht gelöscht. Bis dahin können Administratoren ihn unter Ihren Chats sehen.`,
  withoutMemory: 'Ohne Gedächtnis',
  withoutMemoryText: 'In diesem Chat sehen Modelle keine Einträge Ihres Gedächtnisses und fügen keine hinzu.',

  chooseBot: 'Bot auswählen',
  attach: 'Dateien anhängen',
  dropFiles: 'Dateien zum Anhängen hier ablegen',
  attachments: 'Angehängte Dateien',
  removeFile: (name) => `${name} entfernen`,
  files: (n) => plural(n, { one: '{n} Datei', other: '{n} Dateien' }),
  noVision: 'Dieses Modell kann keine Bilder verarbeiten. Wählen Sie ein anderes Modell, oder entfernen Sie die Bilder.',
  fileRefused: {
    empty: (name) => `${name} ist leer.`,
    unreadable: (name) =>
      `Der Dateityp von ${name} kann nicht gelesen werden. Hängen Sie eine PDF-Datei, eine Office-Datei (DOCX, XLSX, PPTX), eine Textdatei oder ein Bild an.`,
    image_too_large: (name) => `${name} ist zu groß. Ein Bild darf höchstens 3,75 MiB groß sein.`,
    file_too_large: (name) => `${name} ist zu groß. Eine Datei darf höchstens 10 MiB groß sein.`,
    too_many_images: (name) => `${name} wurde nicht angehängt. Eine Nachricht darf höchstens 20 Bilder enthalten.`,
    too_many_files: (name) => `${name} wurde nicht angehängt. Eine Nachricht darf höchstens 10 Dateien enthalten.`,
    too_large_together: (name) => `${name} wurde nicht angehängt. Alle Dateien einer Nachricht dürfen zusammen höchstens 14 MiB groß sein.`,
  },
  image: 'Bild',
  sentImage: 'Gesendetes Bild',
  nthImage: (index) => `Bild ${index}`,
  fileRemoved: 'Durch eine Aufbewahrungsregel entfernt',
  download: 'Herunterladen',

  youWrote: 'Ihre Nachricht',
  replyBy: 'Antwort von',
  editMessage: 'Nachricht bearbeiten',
  editLater: 'Sie wird als neue Version gesendet. Die frühere bleibt erhalten.',
  editFirst: 'Die erste Nachricht eines Chats wird als neuer Chat gesendet.',
  versions: 'Versionen',
  version: (at, of) => `${at}/${of}`,
  earlierVersion: 'Frühere Version',
  laterVersion: 'Spätere Version',
  earlierMessages: 'Frühere Nachrichten anzeigen',
  latest: 'Nach unten',

  writing: 'Schreibt …',
  reasoning: 'Gedankengang',
  reasoningNow: 'Denkt nach …',
  continueReply: 'Fortsetzen',
  again: 'Neue Antwort',
  connectionLost: 'Die Verbindung wurde unterbrochen. Die Antwort wird auf dem Server fortgesetzt.',
  reconnect: 'Neu verbinden',
  stopped: {
    cancelled: 'Sie haben diese Antwort gestoppt.',
    max_tokens: 'Die Antwort hat ihre maximale Länge erreicht.',
    max_tool_rounds: 'Das Modell hat zu oft Tools aufgerufen.',
    content_filtered: 'Der Anbieter des Modells hat diese Antwort gefiltert.',
  },
  guardrail: { blocked: 'Von der Guardrail ersetzt', masked: 'Von der Guardrail maskiert' },
  announced: {
    writing: 'Die Antwort wird geschrieben.',
    waiting: 'Die Antwort wartet auf Ihre Entscheidung.',
    done: 'Die Antwort ist abgeschlossen.',
    failed: 'Die Antwort ist fehlgeschlagen.',
    lost: 'Die Verbindung wurde unterbrochen.',
  },

  code: 'Code',
  codeIn: (language) => `Code: ${language}`,
  diagram: 'Diagramm',
  showCode: 'Code anzeigen',
  showDiagram: 'Diagramm anzeigen',
  copyCode: 'Kopieren',
  showBeside: 'Neben dem Chat anzeigen',
  table: 'Tabelle',
  opensInNewTab: '(öffnet in neuem Tab)',
  imageAt: (alt) => (alt === '' ? 'Bild' : `Bild: ${alt}`),
  source: 'Quelle',
  sources: 'Quellen',
  page: (page) => `Seite ${page}`,
  citation: (rank, name, page) => `Quelle ${rank}: ${name}${page === null ? '' : `, Seite ${page}`}`,

  tool: (name) => `Tool: ${name}`,
  toolInput: 'Eingabe',
  toolResult: 'Ergebnis',
  callStatus: {
    awaiting: 'Genehmigung erforderlich',
    running: 'Läuft',
    succeeded: 'Erfolgreich',
    failed: 'Fehlgeschlagen',
    denied: 'Abgelehnt',
  },
  wouldDo: (name) => `Das Modell möchte ${name} mit dieser Eingabe aufrufen:`,
  approvalText: (until) =>
    until === null
      ? 'Es passiert nichts, bis Sie entscheiden.'
      : `Es passiert nichts, bis Sie entscheiden. Ohne Ihre Entscheidung wird die Antwort am ${until} ohne den Aufruf fortgesetzt.`,
  approvalEnded: (at) =>
    `Die Frist für Ihre Entscheidung ist am ${at} abgelaufen. Die Antwort wird ohne den Aufruf fortgesetzt. Wenn Sie den Aufruf noch wünschen, fragen Sie erneut, sobald die Antwort vollständig ist.`,
  approvalOver: 'Nicht rechtzeitig genehmigt',
  approve: 'Genehmigen',
  deny: 'Ablehnen',

  good: 'Gute Antwort',
  bad: 'Schlechte Antwort',
  feedbackTitle: 'Was stimmt mit dieser Antwort nicht?',
  feedbackReason: 'Grund',
  feedbackReasons: {
    incorrect: 'Sie ist falsch',
    incomplete: 'Sie ist unvollständig',
    not_helpful: 'Sie ist nicht hilfreich',
    wrong_source: 'Sie nutzt die falschen Quellen',
    harmful: 'Sie ist schädlich oder beleidigend',
    other: 'Etwas anderes',
  },
  feedbackComment: 'Kommentar (optional)',
  feedbackHelp: 'Administratoren können ihn lesen.',
  sendFeedback: 'Feedback senden',
  feedbackThanks: 'Feedback gespeichert.',

  details: 'Details zur Antwort',
  costOfChat: 'Kosten dieses Chats',

  searchChats: 'Chats suchen',
  found: (n, hasMore) =>
    hasMore ? plural(n, { one: 'Mehr als {n} Chat', other: 'Mehr als {n} Chats' }) : plural(n, { one: '{n} Chat', other: '{n} Chats' }),
  noChats: 'Noch keine Chats. Schreiben Sie eine Nachricht, um einen zu beginnen.',
  pinned: 'Angeheftet',
  dateGroup: (group) => {
    if (typeof group === 'object')
      return new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' }).format(new Date(group.year, group.month));
    return { today: 'Heute', yesterday: 'Gestern', week: 'Letzte 7 Tage', month: 'Letzte 30 Tage' }[group];
  },
  actionsOf: (title) => `Aktionen für ${title}`,
};
