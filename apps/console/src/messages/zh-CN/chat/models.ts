import type { modelMenu as English } from '../../en/chat/models.ts';

export const modelMenu: typeof English = {
  search: '搜索模型',
  models: '模型',
  noMatch: '没有匹配的模型。',
  abilities: {
    vision: '识别图片',
    documents: '读取文档',
    reasoning: '可先思考',
    prompt_caching: '缓存提示词',
  },
  context: (tokens) => `${tokens} Token 上下文`,
  price: (input, output) => `每百万 Token：输入 ${input}，输出 ${output}`,
  free: '免费',
  compare: '比较模型',
  compared: (n) => `已选择 ${n} 个。可以比较两个或三个模型。`,
  done: '完成',
  noProvider: '其提供商尚未接入。管理员可以接入。',
  notOfBot: (bot) => `“${bot}”不使用此模型。`,
};
