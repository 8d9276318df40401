import type { chatExport as English } from '../../en/chat/export.ts';

/** Texts of an exported chat. */
export const chatExport: typeof English = {
  you: '自分',
  exported: (time) => `${time} にエクスポート。`,
  bot: (title) => `ボット「${title}」とのチャット。`,
  attached: (name) => `添付: ${name}`,
  image: '画像',
  tool: (name) => `ツール ${name} を呼び出しました。`,
  failed: 'この回答の生成は失敗しました。',
  page: (page) => `${page} ページ`,
  tooLong: (n) => `最新の ${n} 件のメッセージだけが含まれています。`,
};
