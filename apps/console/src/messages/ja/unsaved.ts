import type { unsaved as English } from '../en/unsaved.ts';

/** Texts of the question before unsaved changes are discarded. */
export const unsaved: typeof English = {
  changed: { title: '変更を破棄しますか?', text: 'このページの変更は保存されていません。' },
  ended: {
    title: 'セッションが終了しました',
    text: '変更を残すには、「キャンセル」を選び、別のタブでもう一度サインインしてから、このページで保存してください。',
  },
  discard: '破棄',
};
