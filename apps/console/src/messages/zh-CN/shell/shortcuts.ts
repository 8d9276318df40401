import type { shortcuts as English } from '../../en/shell/shortcuts.ts';

export const shortcuts: typeof English = {
  title: '键盘快捷键',
  keys: { control: 'Ctrl', shift: 'Shift', enter: 'Enter', escape: 'Esc' },
  everywhere: '所有页面',
  palette: '搜索和运行命令',
  newChat: '新建对话',
  navigation: '隐藏或显示导航栏',
  field: '转到消息输入框',
  list: '显示此列表',
  inMessage: '输入消息时',
  send: '发送',
  newLine: '换行',
  bot: '选择机器人',
  prompt: '插入提示词（在行首）',
};
