import type { holds as English } from '../../../en/admin/operations/holds.ts';

export const holds: typeof English = {
  title: 'リーガルホールド',
  description:
    'リーガルホールドは、終了するまで、ユーザーまたはボットとその会話を削除から保護します。このページの閲覧は監査ログに記録されます。',
  create: 'リーガルホールドを設定',
  createTitle: 'リーガルホールドの設定',
  place: '設定',
  emptyTitle: 'リーガルホールドはありません',
  emptyText: '法的な紛争などで削除してはならないものがある場合は、「リーガルホールドを設定」で設定してください。',
  kind: '保護対象の種類',
  kinds: { user: 'ユーザーとそのすべての会話', bot: 'ボットとそのすべての会話' },
  subject: '保護対象',
  ofUser: 'ユーザー',
  ofBot: 'ボット',
  userHelp: '名前またはメールアドレスの先頭を入力してください。',
  botHelp: 'タイトルの語句を入力してください。非公開のボットは ID を入力します。',
  missing: '一覧から選ぶか、ID を入力してください。',
  reason: '理由',
  reasonHelp: '管理者だけに表示されます (例: 案件番号)。リーガルホールドの終了時に削除されます。',
  reasonMissing: '理由を入力してください。',
  placed: '設定日時',
  by: (name) => `設定者: ${name}`,
  placedNow: 'リーガルホールドを設定しました。',
  end: '終了',
  endOf: (name) => `「${name}」のリーガルホールドを終了`,
  endTitle: 'リーガルホールドを終了しますか?',
  endText: (name) =>
    `「${name}」とその会話は、再びユーザーや保持ルールによって削除できるようになります。理由は削除されます。リーガルホールドは後から再び設定できます。`,
  ended: 'リーガルホールドを終了しました。',
};
