import type { comparison as English } from '../../en/chat/comparison.ts';

export const comparison: typeof English = {
  title: '模型比较',
  choose: '请选择用于继续对话的回复。其余回复会作为不同版本保留。',
  requesting: '正在等待模型…',
  continueWithThis: '用此回复继续',
  continueWith: (model) => `用 ${model} 的回复继续`,
  stop: '停止',
  stopOf: (model) => `停止 ${model} 的回复`,
  tokens: (input, output) => `输入 ${input} Token，输出 ${output} Token`,
  announced: (model, event) => `${model}：${event}`,
};
