import type { ErrorTexts } from '../../error-texts.ts';
import { plural } from '../../plural.ts';

/** The errors of the pages for administrators, and why a reply failed. */
export const administration = {
  broker_unavailable: 'Der Message-Broker antwortet nicht. Es wurde nichts geändert. Versuchen Sie es später erneut.',
  budget_exists: 'Dieses Budget gibt es schon. Ändern Sie es, oder erstellen Sie eines mit einem anderen Zeitraum.',
  budget_not_found: 'Dieses Budget gibt es nicht.',
  credentials_needed: 'Geben Sie die Zugangsdaten erneut ein: Die gespeicherten gelten nur für den jetzigen Typ und die jetzige Adresse.',
  email_unverified: 'Die E-Mail-Adresse dieses Kontos ist nicht bestätigt.',
  exports_too_large: 'Die Exporte dieser Tage sind zu groß für eine Abfrage. Wählen Sie weniger Tage.',
  group_being_deleted: 'Eine Gruppe mit diesem Namen wird gerade gelöscht. Versuchen Sie es gleich noch einmal.',
  group_built_in: 'Diese Gruppe ist integriert und kann nicht gelöscht werden.',
  group_exists: 'Es gibt schon eine Gruppe mit diesem Namen.',
  group_not_found: 'Diese Gruppe gibt es nicht.',
  group_unknown: 'Diese Gruppe gibt es nicht.',
  hold_not_found: 'Diese Löschsperre gibt es nicht. Sie wurde möglicherweise aufgehoben.',
  invitation_being_accepted: 'Der Einladungslink wurde gerade eben verwendet. Versuchen Sie es in zehn Minuten erneut.',
  invitation_not_found: 'Diese offene Einladung gibt es nicht. Sie wurde angenommen, widerrufen oder ersetzt oder ist abgelaufen.',
  last_admin: 'Das ist der letzte aktivierte Administrator. Machen Sie zuerst einen anderen Benutzer zum Administrator.',
  mail_not_due: 'Die E-Mail wird gerade gesendet oder wartet auf den nächsten Versuch. Versuchen Sie es später erneut.',
  model_in_use: 'Eine Route nutzt dieses Modell als Ziel oder Ausweichmodell. Ändern oder entfernen Sie zuerst diese Route.',
  model_name_taken: 'Ein Modell oder eine Route hat diese ID schon. Wählen Sie eine andere.',
  own_second_factors: 'Entfernen Sie Ihre eigenen zweiten Faktoren auf der Kontoseite.',
  owner_group_deleted:
    'Die Gruppe, der dieses Dienstkonto gehörte, wurde gelöscht. Löschen Sie das Konto und erstellen Sie eines für eine andere Gruppe.',
  provider_in_use: 'Es gibt noch Modelle dieses Anbieters. Entfernen Sie sie zuerst.',
  provider_not_found: 'Diesen Anbieter gibt es hier nicht.',
  queries_busy: 'Es laufen andere Abfragen. Versuchen Sie es in einigen Sekunden erneut.',
  query_failed: 'Die Abfrage wurde unerwartet beendet. Versuchen Sie es erneut.',
  query_memory_exceeded: 'Die Abfrage braucht zu viel Arbeitsspeicher und wurde beendet. Fragen Sie weniger Tage, Spalten oder Gruppen ab.',
  query_timeout: 'Die Abfrage hat zu lange gedauert und wurde beendet. Fragen Sie weniger Tage oder Zeilen ab.',
  replay_in_future: 'Künftige Ereignisse können nicht erneut gesendet werden. Wählen Sie einen früheren Zeitpunkt.',
  restatement_running: 'Eine andere Neuberechnung läuft. Warten Sie, bis sie abgeschlossen ist.',
  retention_rule_not_found: 'Diese Aufbewahrungsregel gibt es nicht.',
  service_account_not_found: 'Dieses Dienstkonto gibt es nicht.',
  too_many_budgets: (limit) =>
    plural(limit, {
      one: 'Es gibt {n} Budget, mehr sind nicht möglich. Entfernen Sie es zuerst.',
      other: 'Es gibt {n} Budgets, mehr sind nicht möglich. Entfernen Sie zuerst eines.',
    }),
  too_many_groups: 'Ein Benutzer kann nicht in so vielen Gruppen sein. Entfernen Sie ihn zuerst aus einer.',
  too_many_holds: (limit) =>
    plural(limit, {
      one: 'Es gibt dafür {n} Löschsperre, mehr sind nicht möglich. Heben Sie sie zuerst auf.',
      other: 'Es gibt dafür {n} Löschsperren, mehr sind nicht möglich. Heben Sie zuerst eine davon auf.',
    }),
  too_many_prices: 'Es gibt zu viele Preise. Ersetzen Sie einen, oder berechnen Sie die Kosten jedes Modells einzeln neu.',
  too_many_retention_rules: (limit) =>
    plural(limit, {
      one: 'Es gibt schon {n} Aufbewahrungsregel, mehr sind nicht möglich. Entfernen Sie sie zuerst.',
      other: 'Es gibt schon {n} Aufbewahrungsregeln, mehr sind nicht möglich. Entfernen Sie zuerst eine.',
    }),
  too_many_webhooks: (limit) =>
    plural(limit, {
      one: 'Es gibt {n} Webhook, mehr sind nicht möglich. Entfernen Sie ihn zuerst.',
      other: 'Es gibt {n} Webhooks, mehr sind nicht möglich. Entfernen Sie zuerst einen.',
    }),
  user_erased: 'Dieser Benutzer wurde endgültig gelöscht.',
  user_not_found: 'Diesen Benutzer gibt es nicht.',
  webhook_busy: 'Zu viele Anfragen für diesen Webhook warten. Versuchen Sie es in einigen Sekunden erneut.',
  webhook_not_found: 'Diesen Webhook gibt es nicht.',

  answer_invalid: 'Das Modell hat eine Antwort geliefert, die nicht lesbar ist. Wählen Sie ein anderes.',
  generation_failed: 'Das Modell hat keine Antwort geliefert.',
  provider_busy:
    'Der Anbieter dieses Modells ist überlastet, oder das Limit seines Kontos ist erreicht. Versuchen Sie es in einer Minute erneut.',
  provider_misconfigured:
    'Der Anbieter dieses Modells verweigert den Zugriff. Bitten Sie einen Administrator, die Konfiguration zu prüfen.',
  provider_paused:
    'Die letzten Aufrufe beim Anbieter dieses Modells sind fehlgeschlagen. Versuchen Sie es in einigen Sekunden erneut, oder wählen Sie ein anderes Modell.',
  provider_timed_out: 'Das Modell hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut, oder wählen Sie ein anderes.',
  provider_unavailable:
    'Der Anbieter dieses Modells ist nicht verfügbar. Versuchen Sie es in einigen Sekunden erneut, oder wählen Sie ein anderes Modell.',
  queue_timed_out:
    'Zu viele Aufrufe warten auf den Anbieter dieses Modells. Versuchen Sie es in einigen Sekunden erneut, oder wählen Sie ein anderes Modell.',
  reply_timeout: 'Die Antwort hat zu lange gedauert.',
  request_refused: 'Das Modell lehnt diese Nachricht ab. Kürzen Sie sie, oder entfernen Sie ihre Dateien.',
  stream_broken: 'Die Antwort des Modells ist abgebrochen. Versuchen Sie es erneut.',
} satisfies Partial<ErrorTexts>;
