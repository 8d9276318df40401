import type { list as English } from '../../en/bots/list.ts';

export const list: typeof English = {
  title: 'Bots',
  description: 'Chaque bot a ses propres instructions, son modèle et ses connaissances.',
  newBot: 'Nouveau bot',
  kinds: {
    label: 'Bots à afficher',
    mine: 'Mes bots',
    shared: 'Partagés avec moi',
    starred: 'Favoris',
    recent: 'Récents',
  },
  table: 'Bots',
  bot: 'Bot',
  sharing: 'Partage',
  knowledge: 'Connaissances',
  ready: 'À jour',
  created: 'Création',
  used: 'Dernière utilisation',
  chat: 'Discuter',
  chatWith: (title) => `Discuter avec ${title}`,
  star: (title) => `Ajouter ${title} aux favoris`,
  unstar: (title) => `Retirer ${title} des favoris`,
  forget: (title) => `Retirer ${title} des bots récents`,
  forgotten: 'Retiré des bots récents.',
  published: 'Publié',
  empty: {
    mine: {
      title: 'Vous n’avez pas encore de bot',
      text: 'Donnez des instructions et des fichiers à un bot, et il répondra à partir de ceux-ci.',
    },
    mineNotAllowed: {
      title: 'Vous n’avez pas de bot',
      text: 'Vous pouvez utiliser des bots, mais pas en créer. Un administrateur peut vous ajouter au groupe CreatingBotAllowed.',
    },
    shared: {
      title: 'Aucun bot n’est partagé avec vous',
      text: 'Les bots que d’autres partagent avec vous, ou avec tous les utilisateurs, figurent ici.',
    },
    starred: { title: 'Vous n’avez pas de bots favoris', text: 'Ajoutez un bot à vos favoris pour le retrouver ici.' },
    recent: { title: 'Vous n’avez encore utilisé aucun bot', text: 'Les bots avec lesquels vous avez discuté figurent ici.' },
  },
  toStore: 'Trouver des bots dans le catalogue',
};
