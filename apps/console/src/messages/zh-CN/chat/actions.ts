import type { chatActions as English } from '../../en/chat/actions.ts';
import { plural } from '../../plural.ts';

export const chatActions: typeof English = {
  share: '共享',
  rename: '重命名',
  renamed: '对话已重命名。',
  title: '名称',
  proposeTitle: '推荐名称',
  pin: '置顶',
  unpin: '取消置顶',
  toProject: '移至项目',
  memoryOff: '关闭记忆',
  memoryOn: '开启记忆',
  memoryTurnedOff: '已为此对话关闭记忆。',
  memoryTurnedOn: '已为此对话开启记忆。',
  download: '下载为 Markdown',
  print: '打印',
  deleteChat: '删除',
  deleteTitle: '删除对话？',
  deleteText: (title) => `“${title}”及其所有消息和文件将被删除。此操作无法撤消。费用合计会保留。`,
  deleted: (title, messages) => `“${title}”及其 ${plural(messages, { other: '{n} 条消息' })}已删除，加密密钥已销毁。`,
};
