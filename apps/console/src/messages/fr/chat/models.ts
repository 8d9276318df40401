import type { modelMenu as English } from '../../en/chat/models.ts';

/** Texts of the menu of models. */
export const modelMenu: typeof English = {
  search: 'Rechercher un modèle',
  models: 'Modèles',
  noMatch: 'Aucun modèle ne correspond.',
  /** Other abilities are shown by their names. */
  abilities: {
    vision: 'voit les images',
    documents: 'lit les documents',
    reasoning: 'peut raisonner d’abord',
    prompt_caching: 'met les prompts en cache',
  },
  context: (tokens) => `${tokens} tokens de contexte`,
  price: (input, output) => `${input} en entrée, ${output} en sortie par million de tokens`,
  free: 'Gratuit',
  compare: 'Comparer des modèles',
  compared: (n) => `Sélection : ${n}. Deux ou trois modèles peuvent être comparés.`,
  done: 'Terminé',
  noProvider: 'Son fournisseur n’est pas connecté. Un administrateur peut le connecter.',
  notOfBot: (bot) => `« ${bot} » n’utilise pas ce modèle.`,
};
