import type { GuideStarters } from '../guide-starters.ts';

export const guideStarters: GuideStarters = {
  'Give a bot knowledge': 'Donner des connaissances à un bot',
  'Connect a model': 'Connecter un modèle',
  'Publish a bot': 'Publier un bot',
};
