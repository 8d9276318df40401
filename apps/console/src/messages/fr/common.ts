import type { ExceededBudget } from '@parlance/client';
import type { common as English } from '../en/common.ts';

const PERIODS = { DAY: 'quotidien', WEEK: 'hebdomadaire', MONTH: 'mensuel' };
const OWNERS = {
  all: 'de tous les utilisateurs',
  bot: 'de ce bot',
  key: 'de cette clé API',
  token: 'de ce jeton',
  cost_centre: 'de ce centre de coûts',
};

function nameOfBudget({ scope, group, period }: ExceededBudget): string {
  const name = `budget ${PERIODS[period]}`;
  if (scope === 'user') return `Votre ${name}`;
  return scope === 'group' ? `Le ${name} du groupe ${group}` : `Le ${name} ${OWNERS[scope]}`;
}

export const common: typeof English = {
  appName: 'Parlance',
  save: 'Enregistrer',
  passwordHelp: '8 caractères minimum.',
  showPassword: 'Afficher le mot de passe',
  cancel: 'Annuler',
  close: 'Fermer',
  delete: 'Supprimer',
  remove: 'Supprimer',
  create: 'Créer',
  search: 'Rechercher',
  copy: 'Copier',
  copied: 'Copié',
  copyFailed: 'Le navigateur n’a pas autorisé la copie. Sélectionnez le texte et copiez-le.',
  retry: 'Réessayer',
  back: 'Retour',
  previous: 'Précédent',
  next: 'Suivant',
  more: 'Plus',
  loading: 'Chargement…',
  late: 'Le serveur tarde à répondre. Chargement…',
  optional: 'facultatif',
  actions: 'Actions',
  downloadCsv: 'Télécharger en CSV',
  asOf: (time) => `État au ${time}`,
  named: (name, value) => `${name} : ${value}`,
  requestId: (id) => `ID de requête : ${id}`,
  errorTitle: 'Chargement impossible',
  retriedLater: 'La page réessaiera d’elle-même.',
  partMissing: 'Une partie de cette page n’a pas pu être chargée. Enregistrez votre travail, puis rechargez la page.',
  noAnswer: 'Le serveur n’a pas répondu. Vérifiez votre connexion et réessayez.',
  secretLost:
    'La réponse contenant le secret a été perdue, et le serveur n’en garde pas de copie. Supprimez la nouvelle entrée et créez-en une autre.',
  budgetExceeded: (budget, time) => `${nameOfBudget(budget)} ne suffit plus. Il sera renouvelé le ${time}.`,
  stepUpNeeded: 'Rien n’a été modifié. Réessayez, puis confirmez avec votre second facteur.',
  offline: 'Pas de connexion au serveur. La page reprendra dès que la connexion sera rétablie.',
  notFoundTitle: 'Cette page n’existe pas',
  notFoundText: 'Vérifiez l’adresse.',
  toStart: 'Aller à la page d’accueil',
  noAccessTitle: 'Cette page est réservée aux administrateurs',
  noAccessText: 'Demandez l’accès à un administrateur de cette instance.',
  skipToContent: 'Aller au contenu',
  menu: 'Menu',
  openMenu: 'Ouvrir le menu',
  closeMenu: 'Fermer le menu',
  hideNavigation: 'Masquer la navigation',
  showNavigation: 'Afficher la navigation',
  commands: 'Recherche et commandes',
  account: 'Compte',
  signOut: 'Se déconnecter',
  newChat: 'Nouvelle conversation',
  chats: 'Conversations',
  bots: 'Bots',
  store: 'Catalogue',
  prompts: 'Prompts',
  admin: 'Administration',
};
