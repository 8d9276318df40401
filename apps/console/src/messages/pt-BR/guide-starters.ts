import type { GuideStarters } from '../guide-starters.ts';

export const guideStarters: GuideStarters = {
  'Give a bot knowledge': 'Dar conhecimento a um bot',
  'Connect a model': 'Conectar um modelo',
  'Publish a bot': 'Publicar um bot',
};
