import type { comparison as English } from '../../en/chat/comparison.ts';

/** Texts of the replies of several models to one question. */
export const comparison: typeof English = {
  title: 'モデルの比較',
  choose: 'チャットを続ける回答を選んでください。ほかの回答は、その別バージョンとして残ります。',
  requesting: 'モデルを待っています…',
  continueWithThis: 'この回答で続ける',
  continueWith: (model) => `${model} の回答で続ける`,
  stop: '停止',
  stopOf: (model) => `${model} の回答を停止`,
  tokens: (input, output) => `入力 ${input} トークン、出力 ${output} トークン`,
  announced: (model, event) => `${model}: ${event}`,
};
