import type { botChoice as English } from '../../en/chat/bot-choice.ts';
import { plural } from '../../plural.ts';

/** Texts of the lists from which a bot is chosen for a chat. */
export const botChoice: typeof English = {
  yourBots: '自分のボット',
  showBots: '自分のボットを表示',
  hideBots: '自分のボットを隠す',
  allBots: 'すべてのボット',
  starred: 'スター付き',
  pinned: 'ピン留め',
  listLabel: 'チャットするボット',
  startsChat: 'このボットとの新しいチャットを始めます。入力したテキストは保持されます。',
  searching: '検索中…',
  found: (n) => plural(n, { other: 'ボット {n} 件。矢印キーで選べます。' }),
  noMatch: '一致するボットはありません。',
  preparing: 'ボットを準備しています。準備ができ次第、ここに表示されます。',
  noBots: 'ボットはまだありません。',
  shelfEmpty: 'スターを付けたボットや使用したボットがここに表示されます。',
  toStore: 'ストアでボットを探す',
  create: 'ボットを作成',
};
