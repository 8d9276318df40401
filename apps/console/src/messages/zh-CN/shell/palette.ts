import type { palette as English } from '../../en/shell/palette.ts';

export const palette: typeof English = {
  placeholder: '页面、操作、对话和机器人',
  placeholderOfAdmin: '页面、操作、对话、机器人和用户',
  noMatch: '没有匹配项。',
  searching: '正在搜索…',
  sections: { pages: '页面', actions: '操作', chats: '对话', bots: '机器人', people: '用户' },
  failed: '搜索失败。请重新输入以再次搜索。',
  newBot: '新建机器人',
  lightTheme: '使用浅色主题',
  darkTheme: '使用深色主题',
  systemTheme: '主题跟随系统',
};
