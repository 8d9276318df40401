import type { artifacts as English } from '../../en/chat/artifacts.ts';

/** Texts of what is shown beside a chat. */
export const artifacts: typeof English = {
  webPage: '网页',
  document: '文档',
  preview: '预览',
  version: (at, of) => `版本 ${at}/${of}`,
  unfinished: '代码写完后会显示预览。',
};
