import { formatNumber } from '../format.ts';
import type { KnowledgeReasonTexts } from '../knowledge-reason-texts.ts';
import { plural } from '../plural.ts';

/** Why runs that read knowledge fail. */
export const knowledgeReasons: KnowledgeReasonTexts = {
  sourcesFailed: (failed, total) =>
    total === 1
      ? 'Die einzige Quelle konnte nicht eingelesen werden.'
      : `Nicht eingelesen: ${formatNumber(failed)} von ${formatNumber(total)} Quellen.`,
  causes: {
    sources_empty: 'Keine Quelle enthält Text.',
    deadline_passed:
      'Die Quellen wurden nicht rechtzeitig eingelesen. Speichern Sie den Bot noch einmal, oder geben Sie ihm weniger Quellen.',
    storage_unavailable:
      'Der Objektspeicher dieser Installation antwortet nicht. Daher können weder Dateien gelesen noch Indexe geschrieben werden.',
    reader_not_started: 'Die Dateien wurden nicht gelesen, weil diese Installation das Programm, das Dateien liest, nicht starten kann.',
    model_unavailable: 'Ein Modell, das für das Einlesen nötig ist, antwortet nicht.',
    model_refused: 'Ein Modell, das für das Einlesen nötig ist, lehnt die Anfragen dieser Installation ab.',
    fault: 'Ein Fehler dieser Installation hat das Einlesen beendet.',
  },
  unchanged: 'Das Wissen des Bots hat sich nicht geändert.',
  others: (count) =>
    plural(count, { one: 'Eine weitere Quelle wird hier nicht genannt.', other: '{n} weitere Quellen werden hier nicht genannt.' }),
  correct: 'Korrigieren oder entfernen Sie diese Quellen, und lesen Sie die Quellen erneut ein.',
  retry: 'Das Einlesen wird von selbst noch einmal versucht.',
  askAdministrator: (runId) =>
    `Speichern Sie den Bot später noch einmal. Wenn das nicht hilft, wenden Sie sich an einen Administrator. Im Log steht die Ursache bei ${runId}.`,
  problems: {
    access_denied: 'Der Zugriff wird verweigert. Machen Sie die Quelle öffentlich, oder laden Sie ihren Inhalt als Datei hoch.',
    address_forbidden:
      'Diese Installation darf die Adresse nicht lesen. Verwenden Sie eine andere, oder wenden Sie sich an einen Administrator.',
    address_invalid: 'Das ist keine gültige Adresse. Korrigieren Sie sie.',
    answer_invalid: 'Der Server hat eine Antwort gesendet, die nicht verwendet werden kann. Prüfen Sie die Adresse in einem Browser.',
    bucket_forbidden: 'Diese Installation darf diesen Bucket nicht lesen. Bitten Sie einen Administrator, ihn zu erlauben.',
    budget_exceeded: 'Ein Budget ist aufgebraucht, daher liest das Modell keine weiteren Seiten.',
    busy: 'Der Server ist ausgelastet. Lesen Sie die Quellen später erneut ein.',
    chunking_invalid: 'Die Aufteilung passt nicht zu dieser Datei. Ändern Sie die Aufteilung auf der Seite „Bearbeiten“.',
    crashed:
      'Das Programm, das Dateien liest, wurde bei dieser Datei beendet. Speichern Sie sie in ihrem Programm neu, und laden Sie sie wieder hoch.',
    damaged: 'Die Datei ist beschädigt. Öffnen Sie sie in ihrem Programm, speichern Sie sie neu, und laden Sie sie wieder hoch.',
    encrypted: 'Die Datei ist geschützt. Speichern Sie sie ohne Passwort oder Schutz, und laden Sie sie wieder hoch.',
    excluded: 'Die Muster des Bots schließen die Seite aus. Ändern Sie die Muster, oder entfernen Sie die Seite.',
    memory_exceeded: 'Das Lesen der Datei braucht zu viel Speicher. Teilen Sie sie in mehrere Dateien auf.',
    no_text: 'Es wurde kein Text gefunden. Verwenden Sie eine Datei oder Seite mit Text.',
    noindex: 'Die Seite bittet Programme, sie nicht zu verwenden. Entfernen Sie sie, oder laden Sie ihren Inhalt als Datei hoch.',
    not_found: 'Die Adresse gibt es nicht. Korrigieren oder entfernen Sie sie.',
    not_uploaded: 'Die Datei wurde nicht hochgeladen. Laden Sie sie hoch, und lesen Sie die Quellen erneut ein.',
    page_not_read: 'Das Modell hat eine Seite nicht gelesen. Versuchen Sie es später erneut, oder wählen Sie ein anderes Modell.',
    pattern_invalid: 'Die Muster des Bots sind zu viele, zu lang oder leer. Kürzen Sie die Liste.',
    redirect_refused: 'Die Adresse leitet auf eine andere Website weiter. Verwenden Sie deren Adresse.',
    robots_disallowed:
      'Die robots.txt der Website erlaubt das Lesen nicht. Fragen Sie den Betreiber der Website, oder entfernen Sie die Adresse.',
    robots_unreachable:
      'Die robots.txt der Website konnte nicht gelesen werden, daher sind ihre Regeln unbekannt. Lesen Sie die Quellen später erneut ein.',
    sitemap_invalid: 'Das ist keine gültige Sitemap. Verwenden Sie eine XML-Sitemap oder einen Text mit einer Adresse pro Zeile.',
    timeout: 'Das Lesen hat zu lange gedauert. Versuchen Sie es später erneut, oder teilen Sie den Inhalt auf.',
    too_deep: 'Der Inhalt ist zu tief verschachtelt. Speichern Sie ihn in einer einfacheren Form, etwa als PDF oder TXT.',
    too_large: 'Der Inhalt ist zu groß. Teilen Sie ihn in mehrere Dateien auf.',
    too_many_items: 'Es sind zu viele Seiten, Dateien oder Objekte. Schränken Sie die Quelle ein.',
    type_unknown: 'Dieser Typ von Inhalt kann nicht gelesen werden. Verwenden Sie ein anderes Format.',
    unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie die Adresse, oder lesen Sie die Quellen später erneut ein.',
    unsafe: 'Die Datei sieht nach einem Angriff aus. Speichern Sie sie in ihrem Programm neu, und laden Sie sie wieder hoch.',
  },
};
