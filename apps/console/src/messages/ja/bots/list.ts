import type { list as English } from '../../en/bots/list.ts';

export const list: typeof English = {
  title: 'ボット',
  description: 'ボットは、それぞれ独自の指示、モデル、ナレッジを持ちます。',
  newBot: '新しいボット',
  kinds: { label: '表示するボット', mine: '自分のもの', shared: '自分と共有', starred: 'スター付き', recent: '最近使用' },
  table: 'ボット',
  bot: 'ボット',
  sharing: '共有',
  knowledge: 'ナレッジ',
  ready: '準備完了',
  created: '作成日',
  used: '最終使用',
  chat: 'チャット',
  chatWith: (title) => `「${title}」とチャット`,
  star: (title) => `「${title}」にスターを付ける`,
  unstar: (title) => `「${title}」のスターを外す`,
  forget: (title) => `「${title}」を最近使用したボットから削除`,
  forgotten: '最近使用したボットから削除しました。',
  published: '公開済み',
  empty: {
    mine: { title: 'ボットはまだありません', text: 'ボットに指示とファイルを与えると、それに基づいて回答します。' },
    mineNotAllowed: {
      title: '自分のボットはありません',
      text: 'ボットの使用はできますが、作成はできません。管理者がグループ CreatingBotAllowed に追加できます。',
    },
    shared: {
      title: '共有されているボットはありません',
      text: 'あなたや全ユーザーと共有されたボットがここに表示されます。',
    },
    starred: { title: 'スター付きのボットはありません', text: 'ボットにスターを付けると、ここに表示されます。' },
    recent: { title: 'まだボットを使用していません', text: 'チャットしたボットがここに表示されます。' },
  },
  toStore: 'ストアでボットを探す',
};
