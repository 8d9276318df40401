import type { chatActions as English } from '../../en/chat/actions.ts';
import { plural } from '../../plural.ts';

/** Texts of a chat's menu and its dialogs. */
export const chatActions: typeof English = {
  share: '共有',
  rename: '名前を変更',
  renamed: 'チャットの名前を変更しました。',
  title: '名前',
  proposeTitle: '名前を提案',
  pin: 'ピン留め',
  unpin: 'ピン留めを解除',
  toProject: 'プロジェクトに移動',
  memoryOff: 'メモリをオフにする',
  memoryOn: 'メモリをオンにする',
  memoryTurnedOff: 'このチャットのメモリをオフにしました。',
  memoryTurnedOn: 'このチャットのメモリをオンにしました。',
  download: 'Markdown でダウンロード',
  print: '印刷',
  deleteChat: '削除',
  deleteTitle: 'チャットを削除しますか?',
  deleteText: (title) =>
    `「${title}」とそのメッセージおよびファイルがすべて削除されます。この操作は元に戻せません。コストの合計は残ります。`,
  deleted: (title, messages) =>
    `「${title}」を${plural(messages, { other: 'メッセージ {n} 件' })}とともに削除しました。暗号鍵は破棄されました。`,
};
