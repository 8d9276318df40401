import type { promptChoice as English } from '../../en/chat/prompt-choice.ts';
import { plural } from '../../plural.ts';

/** Texts for using a prompt of the library in a message. */
export const promptChoice: typeof English = {
  listLabel: 'プロンプト',
  searching: '検索中…',
  found: (n) => plural(n, { other: 'プロンプト {n} 件。矢印キーで選べます。' }),
  noMatch: '一致するプロンプトはありません。',
  none: 'プロンプトはまだありません。メニューの「プロンプト」で作成できます。',
  insert: '挿入',
};
