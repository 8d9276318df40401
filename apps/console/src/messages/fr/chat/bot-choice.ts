import type { botChoice as English } from '../../en/chat/bot-choice.ts';
import { plural } from '../../plural.ts';

/** Texts of the lists from which a bot is chosen for a chat. */
export const botChoice: typeof English = {
  yourBots: 'Vos bots',
  showBots: 'Afficher vos bots',
  hideBots: 'Masquer vos bots',
  allBots: 'Tous les bots',
  starred: 'Favoris',
  pinned: 'Épinglés',
  listLabel: 'Bots avec lesquels discuter',
  startsChat: 'Démarre une nouvelle conversation avec le bot. Votre texte est conservé.',
  searching: 'Recherche…',
  found: (n) =>
    plural(n, {
      one: '{n} bot. Utilisez les flèches pour choisir.',
      other: '{n} bots. Utilisez les flèches pour choisir.',
    }),
  noMatch: 'Aucun bot ne correspond.',
  preparing: 'Les bots sont en cours de préparation. Ils apparaîtront ici dès qu’ils seront prêts.',
  noBots: 'Il n’y a pas encore de bots.',
  shelfEmpty: 'Vos bots favoris ou récents apparaissent ici.',
  toStore: 'Trouver un bot dans le catalogue',
  create: 'Créer un bot',
};
