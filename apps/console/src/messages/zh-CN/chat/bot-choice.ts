import type { botChoice as English } from '../../en/chat/bot-choice.ts';
import { plural } from '../../plural.ts';

export const botChoice: typeof English = {
  yourBots: '你的机器人',
  showBots: '显示你的机器人',
  hideBots: '隐藏你的机器人',
  allBots: '所有机器人',
  starred: '已收藏',
  pinned: '已置顶',
  listLabel: '可对话的机器人',
  startsChat: '将与该机器人开始新对话，已输入的文本会保留。',
  searching: '正在搜索…',
  found: (n) => plural(n, { other: '{n} 个机器人。使用方向键选择。' }),
  noMatch: '没有匹配的机器人。',
  preparing: '机器人仍在准备中，就绪后会立即显示在这里。',
  noBots: '还没有机器人。',
  shelfEmpty: '收藏或使用过的机器人会显示在这里。',
  toStore: '在商店中查找机器人',
  create: '创建机器人',
};
