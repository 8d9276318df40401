import type { audit as English } from '../../../en/admin/operations/audit.ts';
import { plural } from '../../../plural.ts';
import { auditActions } from './audit-actions.ts';

const YOU = 'Sie';

/** What was done and what could not be done. Unknown actions, from a newer release, appear under their log name. */
const wordsOf = (action: string): readonly [done: string, refused: string] =>
  auditActions[action] ?? [`die Aktion ${action} ausgeführt`, `die Aktion ${action} nicht ausführen`];

/** Without the article at its beginning: “einen Bot erstellt” is shown as “Bot erstellt”. */
function heading(text: string): string {
  const short = text.replace(/^(?:einen|eine|ein|die|den|das|sich) /, '');
  return short.slice(0, 1).toUpperCase() + short.slice(1);
}

export const audit: typeof English = {
  title: 'Audit-Log',
  description: 'Änderungen, Zugriffe auf Daten anderer Benutzer und Ablehnungen. Einträge können nicht geändert werden.',
  filters: 'Filter',
  action: 'Aktion',
  actions: auditActions,
  /** Texts for the list of actions. */
  actionName: (action) => (auditActions[action] === undefined ? action : heading(wordsOf(action)[0])),
  happened: (action, success) => {
    const [done, refused] = wordsOf(action);
    return success ? heading(done) : `Konnte ${refused}`;
  },
  sentence: (actor, action, success) => {
    const [done, refused] = wordsOf(action);
    if (actor === YOU) return success ? `Sie haben ${done}` : `Sie konnten ${refused}`;
    return success ? `${actor} hat ${done}` : `${actor} konnte ${refused}`;
  },
  what: 'Was geschah',
  actionId: 'Aktion im Log',
  resourceType: 'Art der Ressource',
  resourceTypes: {
    audit_log: 'Audit-Log',
    bot: 'Bot',
    bots: 'Bots',
    budget: 'Budget',
    configuration: 'Konfiguration',
    conversation: 'Unterhaltung',
    costs: 'Kosten',
    events: 'Ereignisse',
    export: 'Export',
    group: 'Gruppe',
    hold: 'Löschsperre',
    invitation: 'Einladung',
    message: 'Nachricht',
    model: 'Modell',
    prompt: 'Prompt',
    provider: 'Modellanbieter',
    retention_rule: 'Aufbewahrungsregel',
    route: 'Route',
    scim_token: 'SCIM-Token',
    service: 'Dienst',
    session: 'Sitzung',
    share: 'Geteilter Link',
    signing_key: 'Signaturschlüssel',
    token: 'Zugriffstoken',
    tool_server: 'Tool-Server',
    user: 'Benutzer',
    users: 'Benutzer (mehrere)',
    webhook: 'Webhook',
  },
  resourceId: 'Ressourcen-ID',
  userId: 'Benutzer-ID',
  showNoise: 'Abgelehnte Erneuerungen beendeter Sitzungen anzeigen',
  result: 'Ergebnis',
  any: 'Alle',
  succeeded: 'Erfolgreich',
  refused: 'Abgelehnt',
  from: 'Von',
  until: 'Bis',
  untilBeforeFrom: 'Geben Sie einen Zeitpunkt ein, der nicht vor „Von“ liegt.',
  apply: 'Anwenden',
  clear: 'Zurücksetzen',
  emptyTitle: 'Kein passender Eintrag',
  emptyText: 'Entfernen Sie einige Filter, oder wählen Sie einen längeren Zeitraum.',
  time: 'Zeit',
  resource: 'Ressource',
  show: (what) => `${what}: Eintrag anzeigen`,
  actor: 'Wer',
  you: YOU,
  /** Callers that are not users. */
  actors: { anonymous: 'Ein unbekannter Aufrufer', system: 'Parlance' },
  provisioning: 'Ein SCIM-Token',
  error: 'Grund',
  address: 'IP-Adresse',
  userAgent: 'Browser oder Client',
  id: 'Eintrags-ID',
  full: 'Vollständiger Eintrag',
  allOfUser: 'Alle Einträge dieses Benutzers',
  allOfResource: 'Alle Einträge dieser Ressource',
  verify: 'Log prüfen',
  verifyTitle: 'Prüfung',
  verifying: 'Die Hashkette wird neu berechnet. Bei einem langen Log dauert das einige Sekunden.',
  valid: (n) =>
    plural(n, { one: 'Das Log ist gültig. {n} Eintrag wurde geprüft.', other: 'Das Log ist gültig. {n} Einträge wurden geprüft.' }),
  broken: (id) => `Das Log wurde verändert. Der erste Eintrag, der nicht passt, ist ${id}.`,
  invalid: 'Das Log passt nicht zum Ende der Kette. Einträge am Ende fehlen oder wurden verändert.',
  head: 'Ende der Kette',
  headText: 'Bewahren Sie diesen Hash außerhalb der Installation auf. Ein späteres Log muss ihn enthalten.',
  hash: 'Hash',
};
