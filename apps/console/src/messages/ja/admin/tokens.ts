import type { adminTokens as English } from '../../en/admin/tokens.ts';

/** Texts of service accounts. */
const accounts: (typeof English)['accounts'] = {
  description:
    'プログラム専用のユーザーです。パスワードがなく、サインインはできません。プログラムがアクセストークンを使って、このユーザーとして動作します。',
  create: '新しいサービスアカウント',
  emptyTitle: 'サービスアカウントはありません',
  emptyText:
    'データのインポートなど、特定のユーザーのためではないプログラムには、「新しいサービスアカウント」で専用のアカウントを作成してください。',
  name: '名前',
  nameHelp: 'プログラムの名前など。',
  nameMissing: '名前を入力してください。',
  owner: '所有者',
  ownerHelp: 'アカウントを所有するグループ。アカウントはこのグループのメンバーになり、その権限を持ちます。',
  ownerMissing: 'グループを選んでください。',
  chooseGroup: 'グループを選択',
  ownerGone: '削除済み',
  ownerGoneText: 'アカウントを所有するグループが削除されました。トークンは受け付けられません。',
  furtherGroups: '追加のグループ',
  groups: 'グループ',
  groupsText: 'サービスアカウントの権限はグループで決まります。変更はすべてのトークンにすぐに適用されます。',
  state: '状態',
  enabled: '有効',
  disabled: '無効',
  created: '作成日時',
  createdNow: 'サービスアカウントを作成しました。プログラム用のトークンを作成してください。',
  facts: 'アカウント',
  id: 'ユーザー ID',
  all: 'すべてのサービスアカウント',
  gone: 'サービスアカウントが見つかりません',
  goneText: '削除された可能性があります。コストは引き続き合計に含まれます。',
  rename: '名前を変更',
  renameTitle: 'サービスアカウントの名前を変更',
  renamed: '名前を保存しました。',
  disable: '無効化',
  disableTitle: 'サービスアカウントを無効にしますか?',
  disableText: '以後、このアカウントのトークンを使ったリクエストは拒否されます。何も削除されず、再び有効にできます。',
  disabledNow: 'サービスアカウントを無効にしました。',
  enable: '有効化',
  enabledNow: 'サービスアカウントを有効にしました。トークンは再び受け付けられます。',
  deleteTitle: (name) => `「${name}」を削除しますか?`,
  deleteText:
    'サービスアカウント、そのトークン、およびボットや会話などのコンテンツが、すべてのサービスから削除されます。コストの合計は変わりません。この操作は元に戻せません。',
  deleteForever: '完全に削除',
  deletedTitle: 'サービスアカウントを削除しました',
  tokens: 'アクセストークン',
  noTokens: 'このサービスアカウントにはアクセストークンがありません',
  tokensText: 'プログラムごとに別のトークンを使うと、個別に取り消せます。',
};

/** Texts of the list of all tokens. */
const all: (typeof English)['all'] = {
  title: 'アクセストークン',
  description: 'すべてのユーザーとサービスアカウントのアクセストークンを、古い順に表示します。このページの閲覧は監査ログに記録されます。',
  owner: 'アカウント',
  by: (name) => `作成者: ${name}`,
  none: 'アクセストークンはありません',
  noneText: 'ユーザーは自分のアカウントページで、管理者はサービスアカウントのページで作成できます。',
};

export const adminTokens: typeof English = { accounts, all };
