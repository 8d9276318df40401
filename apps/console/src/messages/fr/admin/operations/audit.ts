import type { audit as English } from '../../../en/admin/operations/audit.ts';
import { plural } from '../../../plural.ts';
import { auditActions } from './audit-actions.ts';

const YOU = 'Vous';

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The verb of a sentence about what happened. Unknown actions, from a newer release, appear under their log name. */
function ending(action: string, success: boolean, isYou = false): string {
  const [done, refused] = auditActions[action] ?? [`effectué ${action}`, `effectuer ${action}`];
  if (success) return `${isYou ? 'avez' : 'a'} ${done}`;
  return `${isYou ? 'n’avez' : 'n’a'} pas pu ${refused}`;
}

export const audit: typeof English = {
  title: 'Journal d’audit',
  description: 'Modifications, lectures des données d’autres utilisateurs et refus. Les entrées ne peuvent pas être modifiées.',
  filters: 'Filtres',
  action: 'Action',
  actions: auditActions,
  /** Texts for the list of actions. */
  actionName: (action) => capitalized(auditActions[action]?.[1] ?? action),
  happened: (action, success) => capitalized(ending(action, success)),
  sentence: (actor, action, success) => `${actor} ${ending(action, success, actor === YOU)}`,
  what: 'Événement',
  actionId: 'Action dans le journal',
  resourceType: 'Type de ressource',
  resourceTypes: {
    audit_log: 'Journal d’audit',
    bot: 'Bot',
    bots: 'Bots',
    budget: 'Budget',
    configuration: 'Configuration',
    conversation: 'Conversation',
    costs: 'Coûts',
    events: 'Événements',
    export: 'Export',
    group: 'Groupe',
    hold: 'Gel juridique',
    invitation: 'Invitation',
    message: 'Message',
    model: 'Modèle',
    prompt: 'Prompt',
    provider: 'Fournisseur de modèles',
    retention_rule: 'Règle de conservation',
    route: 'Route',
    scim_token: 'Jeton de provisionnement',
    service: 'Service',
    session: 'Session',
    share: 'Lien de partage',
    signing_key: 'Clé de signature',
    token: 'Jeton d’accès',
    tool_server: 'Serveur d’outils',
    user: 'Utilisateur',
    users: 'Utilisateurs',
    webhook: 'Webhook',
  },
  resourceId: 'ID de ressource',
  userId: 'ID utilisateur',
  showNoise: 'Afficher les prolongations refusées de sessions terminées',
  result: 'Résultat',
  any: 'Tout',
  succeeded: 'Réussi',
  refused: 'Refusé',
  from: 'Du',
  until: 'Au',
  untilBeforeFrom: 'Saisissez une date et une heure qui ne précèdent pas « Du ».',
  apply: 'Appliquer',
  clear: 'Effacer',
  emptyTitle: 'Aucune entrée ne correspond',
  emptyText: 'Effacez des filtres, ou choisissez une période plus longue.',
  time: 'Heure',
  resource: 'Ressource',
  show: (what) => `${what} : afficher l’entrée`,
  actor: 'Par',
  you: YOU,
  /** Callers that are not users. */
  actors: { anonymous: 'Un appelant inconnu', system: 'Parlance' },
  provisioning: 'Un jeton de provisionnement',
  error: 'Motif',
  address: 'Adresse IP',
  userAgent: 'Navigateur ou client',
  id: 'ID d’entrée',
  full: 'Entrée complète',
  allOfUser: 'Toutes les entrées de cet utilisateur',
  allOfResource: 'Toutes les entrées de cette ressource',
  verify: 'Vérifier le journal',
  verifyTitle: 'Vérification',
  verifying: 'La chaîne de hachage est en cours de recalcul. Cela prend quelques secondes pour un long journal.',
  valid: (n) =>
    plural(n, {
      one: 'Le journal est intègre. {n} entrée a été vérifiée.',
      other: 'Le journal est intègre. {n} entrées ont été vérifiées.',
    }),
  broken: (id) => `Le journal a été modifié. La première entrée qui ne correspond pas est ${id}.`,
  invalid: 'Le journal ne correspond pas à sa tête. Des entrées de la fin manquent ou ont été modifiées.',
  head: 'Tête de la chaîne',
  headText: 'Conservez ce hachage hors de l’instance. Tout journal ultérieur doit le contenir.',
  hash: 'Hachage',
};
