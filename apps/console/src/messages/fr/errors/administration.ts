import type { ErrorTexts } from '../../error-texts.ts';
import { plural } from '../../plural.ts';

/** The errors of the pages for administrators, and why a reply failed. */
export const administration = {
  broker_unavailable: 'Le broker de messages ne répond pas. Rien n’a été modifié. Réessayez plus tard.',
  budget_exists: 'Ce budget existe déjà. Modifiez-le, ou créez-en un pour une autre période.',
  budget_not_found: 'Ce budget n’existe pas.',
  credentials_needed: 'Saisissez de nouveau les identifiants : ceux enregistrés ne valent que pour le type et l’adresse actuels.',
  email_unverified: 'L’adresse e-mail de ce compte n’est pas confirmée.',
  exports_too_large: 'Les exports de ces jours sont trop volumineux pour une seule requête. Choisissez moins de jours.',
  group_being_deleted: 'Un groupe de ce nom est en cours de suppression. Réessayez dans un instant.',
  group_built_in: 'Ce groupe est intégré et ne peut pas être supprimé.',
  group_exists: 'Un groupe de ce nom existe déjà.',
  group_not_found: 'Ce groupe n’existe pas.',
  group_unknown: 'Ce groupe n’existe pas.',
  hold_not_found: 'Ce gel juridique n’existe pas. Il a peut-être été levé.',
  invitation_being_accepted: 'Le lien d’invitation vient d’être utilisé. Réessayez dans dix minutes.',
  invitation_not_found: 'Cette invitation n’est pas en attente. Elle a été acceptée, révoquée ou remplacée, ou a expiré.',
  last_admin: 'C’est le dernier administrateur activé. Nommez d’abord un autre utilisateur administrateur.',
  mail_not_due: 'L’e-mail est en cours d’envoi, ou attend sa prochaine tentative. Réessayez plus tard.',
  model_in_use: 'Une route utilise ce modèle comme cible ou modèle de secours. Modifiez ou supprimez d’abord cette route.',
  model_name_taken: 'Un modèle ou une route a déjà cet ID. Choisissez-en un autre.',
  own_second_factors: 'Supprimez vos propres seconds facteurs sur la page de votre compte.',
  owner_group_deleted:
    'Le groupe propriétaire de ce compte de service a été supprimé. Supprimez le compte et créez-en un pour un autre groupe.',
  provider_in_use: 'Ce fournisseur a encore des modèles. Supprimez-les d’abord.',
  provider_not_found: 'Ce fournisseur n’existe pas ici.',
  queries_busy: 'D’autres requêtes sont en cours d’exécution. Réessayez dans quelques secondes.',
  query_failed: 'La requête s’est terminée de façon inattendue. Réessayez.',
  query_memory_exceeded: 'La requête demande trop de mémoire et a été arrêtée. Réduisez le nombre de jours, de colonnes ou de groupes.',
  query_timeout: 'La requête a pris trop de temps et a été arrêtée. Réduisez le nombre de jours ou de lignes.',
  replay_in_future: 'Des événements futurs ne peuvent pas être rejoués. Choisissez un moment antérieur.',
  restatement_running: 'Un autre recalcul est en cours. Attendez qu’il soit terminé.',
  retention_rule_not_found: 'Cette règle de conservation n’existe pas.',
  service_account_not_found: 'Ce compte de service n’existe pas.',
  too_many_budgets: (limit) =>
    plural(limit, {
      one: 'Il y a {n} budget, soit le maximum. Supprimez-le d’abord.',
      other: 'Il y a {n} budgets, soit le maximum. Supprimez-en d’abord un.',
    }),
  too_many_groups: 'Un utilisateur ne peut pas appartenir à autant de groupes. Retirez-le d’abord d’un groupe.',
  too_many_holds: (limit) =>
    plural(limit, {
      one: 'Il y a déjà {n} gel juridique, soit le maximum. Levez-le d’abord.',
      other: 'Il y a déjà {n} gels juridiques, soit le maximum. Levez-en d’abord un.',
    }),
  too_many_prices: 'Les prix sont trop nombreux. Remplacez-en un, ou recalculez un modèle à la fois.',
  too_many_retention_rules: (limit) =>
    plural(limit, {
      one: 'Il y a déjà {n} règle de conservation, soit le maximum. Supprimez-la d’abord.',
      other: 'Il y a déjà {n} règles de conservation, soit le maximum. Supprimez-en d’abord une.',
    }),
  too_many_webhooks: (limit) =>
    plural(limit, {
      one: 'Il y a {n} webhook, soit le maximum. Supprimez-le d’abord.',
      other: 'Il y a {n} webhooks, soit le maximum. Supprimez-en d’abord un.',
    }),
  user_erased: 'Cet utilisateur a été effacé.',
  user_not_found: 'Cet utilisateur n’existe pas.',
  webhook_busy: 'Trop de requêtes pour ce webhook sont en attente. Réessayez dans quelques secondes.',
  webhook_not_found: 'Ce webhook n’existe pas.',

  answer_invalid: 'Le modèle a donné une réponse illisible. Choisissez un autre modèle.',
  generation_failed: 'Le modèle n’a renvoyé aucune réponse.',
  provider_busy: 'Le fournisseur de ce modèle est surchargé, ou la limite de son compte est atteinte. Réessayez dans une minute.',
  provider_misconfigured: 'Le fournisseur de ce modèle refuse l’accès. Demandez à un administrateur de vérifier sa configuration.',
  provider_paused:
    'Les derniers appels au fournisseur de ce modèle ont échoué. Réessayez dans quelques secondes, ou choisissez un autre modèle.',
  provider_timed_out: 'Le modèle n’a pas répondu à temps. Réessayez, ou choisissez un autre modèle.',
  provider_unavailable:
    'Le fournisseur de ce modèle n’est pas disponible. Réessayez dans quelques secondes, ou choisissez un autre modèle.',
  queue_timed_out: 'Trop d’appels attendent le fournisseur de ce modèle. Réessayez dans quelques secondes, ou choisissez un autre modèle.',
  reply_timeout: 'La réponse a pris trop de temps.',
  request_refused: 'Le modèle refuse ce message. Raccourcissez-le, ou retirez ses fichiers.',
  stream_broken: 'La réponse du modèle a été interrompue. Réessayez.',
} satisfies Partial<ErrorTexts>;
