import type { modelMenu as English } from '../../en/chat/models.ts';

/** Texts of the menu of models. */
export const modelMenu: typeof English = {
  search: '모델 검색',
  models: '모델',
  noMatch: '일치하는 모델이 없습니다.',
  /** Other abilities are shown by their names. */
  abilities: {
    vision: '이미지 인식',
    documents: '문서 읽기',
    reasoning: '추론 가능',
    prompt_caching: '프롬프트 캐시',
  },
  context: (tokens) => `컨텍스트 ${tokens}토큰`,
  price: (input, output) => `100만 토큰당 입력 ${input}, 출력 ${output}`,
  free: '무료',
  compare: '모델 비교',
  compared: (n) => `${n}개 선택됨. 모델을 2~3개 비교할 수 있습니다.`,
  done: '완료',
  noProvider: '공급자가 연결되어 있지 않습니다. 관리자가 연결할 수 있습니다.',
  notOfBot: (bot) => `“${bot}” 봇에서 사용하지 않는 모델입니다.`,
};
