import type { adminInvitations as English } from '../../en/admin/invitations.ts';

/** Texts of invitations. */
export const adminInvitations: typeof English = {
  description:
    'アカウント作成用のリンクを送信した相手です。リンクは 7 日間有効で、1 回だけ使用できます。このページの閲覧は監査ログに記録されます。',
  create: 'ユーザーを招待',
  send: '招待を送信',
  sent: (email) => `${email} に招待を送信しました。`,
  emptyTitle: '未承諾の招待はありません',
  emptyText: '「ユーザーを招待」で送信できます。承諾した人はユーザーの一覧に表示されます。',
  email: 'メールアドレス',
  emailHelp: 'このアドレスへの以前の招待は置き換えられます。',
  firstName: '名',
  lastName: '姓',
  groups: 'グループ',
  groupsHelp: '選択しない場合は、新規ユーザー全員に割り当てられるグループに入ります。',
  noGroups: 'なし',
  created: '送信日時',
  by: (name) => `送信者: ${name}`,
  expires: '有効期限',
  revoke: '取り消す',
  revokeOf: (email) => `${email} への招待を取り消す`,
  revokeTitle: '招待を取り消しますか?',
  revokeText: (email) => `${email} へのメールに記載したリンクは使用できなくなります。`,
  revoked: '招待を取り消しました。',
};
