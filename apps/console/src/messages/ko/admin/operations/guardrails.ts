import type { guardrails as English } from '../../../en/admin/operations/guardrails.ts';
import { plural } from '../../../plural.ts';

export const guardrails: typeof English = {
  title: '가드레일',
  description:
    '메시지와 답변의 개인정보, 비밀 정보, 단어에 대한 정책입니다. parlance.config.json의 “guardrails”에서 구성하며 이 순서대로 적용됩니다.',
  policy: '정책',
  surfaces: '적용 대상',
  surface: { conversations: '사용자의 대화', published: '게시된 봇', gateway: '프로그램의 모델 호출' },
  stage: '검사 대상',
  stages: { input: '모델에 보내는 텍스트', output: '답변' },
  detectors: '찾는 항목',
  detector: {
    email: '이메일 주소',
    phone: '전화번호',
    iban: 'IBAN',
    payment_card: '결제 카드',
    national_id: '국가 식별 번호',
    ip_address: 'IP 주소',
    secret: '비밀번호 및 키',
  },
  words: (count) => plural(count, { other: '단어 및 구문 {n}개' }),
  regions: (regions) => `국내 전화번호: ${regions}`,
  action: '동작',
  actions: { flag: '집계', mask: '가림', block: '차단' },
  none: '정책이 없습니다',
  noneText: '검사하는 항목이 없습니다. parlance.config.json의 “guardrails”에 정책을 추가하고 Parlance를 다시 시작하세요.',
};
