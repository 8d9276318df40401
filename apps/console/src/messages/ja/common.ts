import type { ExceededBudget } from '@parlance/client';
import type { common as English } from '../en/common.ts';

const PERIODS = { DAY: '日次予算', WEEK: '週次予算', MONTH: '月次予算' };
const OWNERS = {
  all: '全ユーザー',
  bot: 'このボット',
  key: 'この API キー',
  token: 'このトークン',
  cost_centre: 'このコストセンター',
};

function nameOfBudget({ scope, group, period }: ExceededBudget): string {
  if (scope === 'user') return `あなたの${PERIODS[period]}`;
  return `${scope === 'group' ? `グループ「${group}」` : OWNERS[scope]}の${PERIODS[period]}`;
}

export const common: typeof English = {
  appName: 'Parlance',
  save: '保存',
  passwordHelp: '8 文字以上で入力してください。',
  showPassword: 'パスワードを表示',
  cancel: 'キャンセル',
  close: '閉じる',
  delete: '削除',
  remove: '削除',
  create: '作成',
  search: '検索',
  copy: 'コピー',
  copied: 'コピーしました',
  copyFailed: 'ブラウザーがコピーを許可しませんでした。テキストを選択してコピーしてください。',
  retry: '再試行',
  back: '戻る',
  previous: '前へ',
  next: '次へ',
  more: 'もっと見る',
  loading: '読み込み中…',
  late: 'サーバーの応答に時間がかかっています。読み込み中…',
  optional: '省略可',
  actions: '操作',
  downloadCsv: 'CSV をダウンロード',
  asOf: (time) => `${time} 時点`,
  named: (name, value) => `${name}: ${value}`,
  requestId: (id) => `リクエスト ID: ${id}`,
  errorTitle: '読み込めませんでした',
  retriedLater: 'ページは自動的に再試行します。',
  partMissing: 'このページの一部を読み込めませんでした。作業内容を保存してから、ページを再読み込みしてください。',
  noAnswer: 'サーバーから応答がありません。接続を確認して、もう一度お試しください。',
  secretLost:
    'シークレットを含むレスポンスが失われました。サーバーにも控えはありません。新しくできた項目を削除して、もう一度作成してください。',
  budgetExceeded: (budget, time) => `${nameOfBudget(budget)}の残りが足りません。予算は ${time} にリセットされます。`,
  stepUpNeeded: '何も変更されていません。もう一度操作して、2 要素認証で確認してください。',
  offline: 'サーバーに接続できません。接続が回復すると、ページは自動的に再開します。',
  notFoundTitle: 'ページが見つかりません',
  notFoundText: 'アドレスを確認してください。',
  toStart: 'ホームに戻る',
  noAccessTitle: 'このページは管理者専用です',
  noAccessText: 'アクセスが必要な場合は、管理者に依頼してください。',
  skipToContent: '本文へスキップ',
  menu: 'メニュー',
  openMenu: 'メニューを開く',
  closeMenu: 'メニューを閉じる',
  hideNavigation: 'ナビゲーションを隠す',
  showNavigation: 'ナビゲーションを表示',
  commands: '検索とコマンド',
  account: 'アカウント',
  signOut: 'サインアウト',
  newChat: '新しいチャット',
  chats: 'チャット',
  bots: 'ボット',
  store: 'ストア',
  prompts: 'プロンプト',
  admin: '管理',
};
