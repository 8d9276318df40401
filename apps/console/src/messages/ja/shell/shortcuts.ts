import type { shortcuts as English } from '../../en/shell/shortcuts.ts';

/** Texts of the list of keyboard shortcuts. */
export const shortcuts: typeof English = {
  title: 'キーボードショートカット',
  keys: { control: 'Ctrl', shift: 'Shift', enter: 'Enter', escape: 'Esc' },
  everywhere: 'すべてのページ',
  palette: '検索とコマンドの実行',
  newChat: '新しいチャットを開始',
  navigation: 'ナビゲーションの表示を切り替え',
  field: 'メッセージの入力欄に移動',
  list: 'この一覧を表示',
  inMessage: 'メッセージの入力中',
  send: '送信',
  newLine: '改行',
  bot: 'ボットを選択',
  prompt: 'プロンプトを挿入 (行の先頭)',
};
