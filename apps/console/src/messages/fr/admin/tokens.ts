import type { adminTokens as English } from '../../en/admin/tokens.ts';

/** Texts of service accounts. */
const accounts: (typeof English)['accounts'] = {
  description:
    'Des utilisateurs réservés aux programmes. Ils n’ont pas de mot de passe et ne peuvent pas se connecter : les programmes agissent pour eux avec des jetons d’accès.',
  create: 'Nouveau compte de service',
  emptyTitle: 'Il n’y a aucun compte de service',
  emptyText:
    'Choisissez « Nouveau compte de service » pour en créer un pour un programme qui n’agit pas pour un seul utilisateur, comme un outil d’import.',
  name: 'Nom',
  nameHelp: 'Par exemple le nom du programme.',
  nameMissing: 'Saisissez un nom.',
  owner: 'Propriétaire',
  ownerHelp: 'Le groupe propriétaire du compte. Le compte en est membre et en a les droits.',
  ownerMissing: 'Choisissez un groupe.',
  chooseGroup: 'Choisir un groupe',
  ownerGone: 'supprimé',
  ownerGoneText: 'Le groupe propriétaire du compte a été supprimé. Ses jetons ne sont pas acceptés.',
  furtherGroups: 'Autres groupes',
  groups: 'Groupes',
  groupsText: 'Les groupes déterminent les droits du compte de service. Une modification s’applique immédiatement à tous ses jetons.',
  state: 'État',
  enabled: 'Activé',
  disabled: 'Désactivé',
  created: 'Création',
  createdNow: 'Compte de service créé. Créez un jeton pour son programme.',
  facts: 'Compte',
  id: 'ID utilisateur',
  all: 'Tous les comptes de service',
  gone: 'Ce compte de service n’existe pas',
  goneText: 'Il a peut-être été supprimé. Ses coûts font toujours partie des totaux.',
  rename: 'Renommer',
  renameTitle: 'Renommer le compte de service',
  renamed: 'Nom enregistré.',
  disable: 'Désactiver',
  disableTitle: 'Désactiver le compte de service ?',
  disableText: 'Les requêtes avec ses jetons seront refusées dès maintenant. Rien ne sera supprimé, et vous pourrez le réactiver.',
  disabledNow: 'Compte de service désactivé.',
  enable: 'Activer',
  enabledNow: 'Compte de service activé. Ses jetons sont de nouveau acceptés.',
  deleteTitle: (name) => `Supprimer ${name} ?`,
  deleteText:
    'Le compte de service, ses jetons et son contenu, comme les bots et les conversations, seront supprimés de tous les services. Les totaux des coûts ne changeront pas. Cette action est irréversible.',
  deleteForever: 'Supprimer définitivement',
  deletedTitle: 'Compte de service supprimé',
  tokens: 'Jetons d’accès',
  noTokens: 'Ce compte de service n’a pas de jeton d’accès',
  tokensText: 'Donnez à chaque programme son propre jeton, afin de pouvoir le révoquer séparément.',
};

/** Texts of the list of all tokens. */
const all: (typeof English)['all'] = {
  title: 'Jetons d’accès',
  description:
    'Les jetons d’accès de tous les utilisateurs et comptes de service, du plus ancien au plus récent. La consultation de cette page est inscrite au journal d’audit.',
  owner: 'Agit pour',
  by: (name) => `Créé par ${name}`,
  none: 'Il n’y a aucun jeton d’accès',
  noneText: 'Les utilisateurs les créent sur la page de leur compte, et les administrateurs sur celles des comptes de service.',
};

export const adminTokens: typeof English = { accounts, all };
