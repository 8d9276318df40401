import type { GuideStarters } from '../guide-starters.ts';

export const guideStarters: GuideStarters = {
  'Give a bot knowledge': 'Dar conocimiento a un bot',
  'Connect a model': 'Conectar un modelo',
  'Publish a bot': 'Publicar un bot',
};
