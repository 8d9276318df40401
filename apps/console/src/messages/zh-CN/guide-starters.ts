import type { GuideStarters } from '../guide-starters.ts';

export const guideStarters: GuideStarters = {
  'Give a bot knowledge': '为机器人添加知识库',
  'Connect a model': '接入模型',
  'Publish a bot': '发布机器人',
};
