import type { notifications as English } from '../../en/shell/notifications.ts';
import { plural } from '../../plural.ts';
import { ofName } from '../of-name.ts';

/** Texts of the bell and its list. */
export const notifications: typeof English = {
  title: 'Notifications',
  unread: (n) => plural(n, { one: 'Notifications ({n} non lue)', other: 'Notifications ({n} non lues)' }),
  isNew: 'Nouveau',
  botShared: 'Un bot a été partagé avec vous',
  promptShared: 'Un prompt a été partagé avec vous',
  projectShared: 'Un projet a été partagé avec vous',
  approvalWanted: 'Une réponse attend votre approbation',
  exportReady: 'L’export de vos données est prêt',
  exportUntil: (time) => `Il peut être téléchargé jusqu’au ${time}.`,
  ownBudget: 'Votre budget',
  budgetOfAll: 'Budget de tous les utilisateurs',
  budgetOf: (name) => `Budget ${ofName(name)}`,
  otherBudget: 'Un autre budget',
  spent: (spent, limit) => `Dépensé : ${spent} sur ${limit}`,
  markRead: 'Tout marquer comme lu',
  emptyTitle: 'Aucune notification',
  emptyText:
    'Vous voyez ici ce qui a été partagé avec vous, les réponses qui attendent votre approbation, et quand un export est prêt ou un budget presque épuisé.',
  allow: 'M’avertir aussi dans ce navigateur',
  denied: 'Le navigateur bloque les notifications de cette page. Vous pouvez changer cela dans ses paramètres.',
};
