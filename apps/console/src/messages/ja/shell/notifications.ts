import type { notifications as English } from '../../en/shell/notifications.ts';
import { plural } from '../../plural.ts';

/** Texts of the bell and its list. */
export const notifications: typeof English = {
  title: '通知',
  unread: (n) => plural(n, { other: '通知 (未読 {n} 件)' }),
  isNew: '新着',
  botShared: 'ボットが共有されました',
  promptShared: 'プロンプトが共有されました',
  projectShared: 'プロジェクトが共有されました',
  approvalWanted: '回答が承認を待っています',
  exportReady: 'データのエクスポートの準備ができました',
  exportUntil: (time) => `${time} までダウンロードできます。`,
  ownBudget: 'あなたの予算',
  budgetOfAll: 'すべてのユーザーの予算',
  budgetOf: (name) => `${name} の予算`,
  otherBudget: 'ほかの予算',
  spent: (spent, limit) => `${limit} のうち ${spent} を使用`,
  markRead: 'すべて既読にする',
  emptyTitle: '通知はありません',
  emptyText: '共有されたもの、承認待ちの回答、エクスポートの完了、残りの少ない予算がここに表示されます。',
  allow: 'このブラウザーでも通知する',
  denied: 'ブラウザーがこのページの通知をブロックしています。ブラウザーの設定で変更できます。',
};
