import type { palette as English } from '../../en/shell/palette.ts';

/** Texts of the dialog that Ctrl+K opens. */
export const palette: typeof English = {
  placeholder: 'ページ、操作、チャット、ボット',
  placeholderOfAdmin: 'ページ、操作、チャット、ボット、ユーザー',
  noMatch: '一致するものはありません。',
  searching: '検索中…',
  sections: { pages: 'ページ', actions: '操作', chats: 'チャット', bots: 'ボット', people: 'ユーザー' },
  failed: '検索に失敗しました。もう一度入力すると、再び検索します。',
  newBot: '新しいボット',
  lightTheme: 'ライトテーマに切り替え',
  darkTheme: 'ダークテーマに切り替え',
  systemTheme: 'OS のテーマに合わせる',
};
