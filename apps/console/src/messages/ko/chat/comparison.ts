import type { comparison as English } from '../../en/chat/comparison.ts';

/** Texts of the replies of several models to one question. */
export const comparison: typeof English = {
  title: '모델 비교',
  choose: '채팅을 이어갈 답변을 선택하세요. 나머지는 다른 버전으로 유지됩니다.',
  requesting: '모델을 기다리는 중…',
  continueWithThis: '이 답변으로 계속',
  continueWith: (model) => `${model} 답변으로 계속`,
  stop: '중지',
  stopOf: (model) => `${model} 답변 중지`,
  tokens: (input, output) => `토큰: 입력 ${input}, 출력 ${output}`,
  announced: (model, event) => `${model}: ${event}`,
};
