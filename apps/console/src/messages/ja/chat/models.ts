import type { modelMenu as English } from '../../en/chat/models.ts';

/** Texts of the menu of models. */
export const modelMenu: typeof English = {
  search: 'モデルを検索',
  models: 'モデル',
  noMatch: '一致するモデルはありません。',
  /** Other abilities are shown by their names. */
  abilities: {
    vision: '画像対応',
    documents: 'ドキュメント対応',
    reasoning: '思考対応',
    prompt_caching: 'プロンプトキャッシュ',
  } as Readonly<Record<string, string>>,
  context: (tokens) => `コンテキスト ${tokens} トークン`,
  price: (input, output) => `100 万トークンあたり入力 ${input}、出力 ${output}`,
  free: '無料',
  compare: 'モデルを比較',
  compared: (n) => `${n} 個を選択中。2 個または 3 個のモデルを比較できます。`,
  done: '完了',
  noProvider: 'プロバイダーが接続されていません。管理者が接続できます。',
  notOfBot: (bot) => `「${bot}」はこのモデルを使用しません。`,
};
