import type { GuideStarters } from '../guide-starters.ts';

export const guideStarters: GuideStarters = {
  'Give a bot knowledge': '봇에 지식 추가',
  'Connect a model': '모델 연결',
  'Publish a bot': '봇 게시',
};
