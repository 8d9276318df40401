import type { promptChoice as English } from '../../en/chat/prompt-choice.ts';
import { plural } from '../../plural.ts';

export const promptChoice: typeof English = {
  listLabel: '提示词',
  searching: '正在搜索…',
  found: (n) => plural(n, { other: '{n} 个提示词。使用方向键选择。' }),
  noMatch: '没有匹配的提示词。',
  none: '还没有提示词。请在菜单的“提示词”中创建。',
  insert: '插入',
};
