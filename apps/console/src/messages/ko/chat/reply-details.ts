import type { replyDetails as English } from '../../en/chat/reply-details.ts';
import { locale } from '../../locale.ts';

/** How a reply was made. */
export const replyDetails: typeof English = {
  title: '답변 생성 정보',
  inputTokens: '입력 토큰',
  cachedTokens: '이 중 캐시된 토큰',
  outputTokens: '출력 토큰',
  estimated: '추정치',
  cost: '비용',
  priceFrom: '가격 적용 시작',
  firstToken: '첫 단어까지 걸린 시간',
  totalTime: '총 시간',
  millis: (millis) =>
    new Intl.NumberFormat(locale(), {
      style: 'unit',
      maximumFractionDigits: 1,
      ...(millis < 1_000 ? { unit: 'millisecond' } : { unit: 'second' }),
    }).format(millis < 1_000 ? millis : millis / 1_000),
  botVersion: '봇 버전',
  tries: '공급자 호출',
  toolCalls: '도구',
  guardrailVerdict: '가드레일',
  verdict: { passed: '통과', blocked: '답변을 대체함', masked: '답변 일부를 가림' },
};
