import type { GuideStarters } from '../guide-starters.ts';

export const guideStarters: GuideStarters = {
  'Give a bot knowledge': 'Einem Bot Wissen geben',
  'Connect a model': 'Modell verbinden',
  'Publish a bot': 'Bot veröffentlichen',
};
