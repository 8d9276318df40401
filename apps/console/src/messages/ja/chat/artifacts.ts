import type { artifacts as English } from '../../en/chat/artifacts.ts';

/** Texts of what is shown beside a chat. */
export const artifacts: typeof English = {
  webPage: 'ウェブページ',
  document: 'ドキュメント',
  preview: 'プレビュー',
  version: (at, of) => `バージョン ${at}/${of}`,
  unfinished: 'コードが完成するとプレビューが表示されます。',
};
