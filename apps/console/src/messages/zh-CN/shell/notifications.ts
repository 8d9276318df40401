import type { notifications as English } from '../../en/shell/notifications.ts';
import { plural } from '../../plural.ts';

/** Texts of the bell and its list. */
export const notifications: typeof English = {
  title: '通知',
  unread: (n) => plural(n, { other: '通知（{n} 条未读）' }),
  isNew: '新',
  botShared: '有人与你共享了机器人',
  promptShared: '有人与你共享了提示词',
  projectShared: '有人与你共享了项目',
  approvalWanted: '有回复正在等待你批准',
  exportReady: '你的数据已导出',
  exportUntil: (time) => `可在 ${time} 之前下载。`,
  ownBudget: '你的预算',
  budgetOfAll: '所有用户的预算',
  budgetOf: (name) => `${name} 的预算`,
  otherBudget: '其他预算',
  spent: (spent, limit) => `已用 ${spent}，共 ${limit}`,
  markRead: '全部标为已读',
  emptyTitle: '没有通知',
  emptyText: '这里显示与你共享的内容、等待你批准的回复、已完成的导出和即将用完的预算。',
  allow: '也在此浏览器中通知我',
  denied: '浏览器阻止了此页面的通知。你可以在浏览器设置中更改。',
};
