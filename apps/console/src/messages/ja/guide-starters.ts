import type { GuideStarters } from '../guide-starters.ts';

export const guideStarters: GuideStarters = {
  'Give a bot knowledge': 'ボットにナレッジを追加',
  'Connect a model': 'モデルを接続',
  'Publish a bot': 'ボットを公開',
};
