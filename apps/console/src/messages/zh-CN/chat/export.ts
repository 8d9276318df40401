import type { chatExport as English } from '../../en/chat/export.ts';

export const chatExport: typeof English = {
  you: '你',
  exported: (time) => `导出于 ${time}。`,
  bot: (title) => `与机器人“${title}”的对话。`,
  attached: (name) => `附件：${name}`,
  image: '一张图片',
  tool: (name) => `调用了工具 ${name}。`,
  failed: '此回复失败。',
  page: (page) => `第 ${page} 页`,
  tooLong: (n) => `仅包含最新的 ${n} 条消息。`,
};
