import type { artifacts as English } from '../../en/chat/artifacts.ts';

/** Texts of what is shown beside a chat. */
export const artifacts: typeof English = {
  webPage: '웹페이지',
  document: '문서',
  preview: '미리보기',
  version: (at, of) => `버전 ${at}/${of}`,
  unfinished: '코드가 완성되면 미리보기가 표시됩니다.',
};
