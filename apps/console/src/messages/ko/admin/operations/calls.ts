import type { adminCalls as English } from '../../../en/admin/operations/calls.ts';

export const adminCalls: typeof English = {
  title: '호출',
  description: '모든 사용자와 서비스 계정의 프로그램이 봇 없이 모델을 호출한 기록입니다. 이 페이지를 본 기록은 감사 로그에 남습니다.',
  start: '프로그램에는 “봇 없이 모델 호출” 권한이 있는 액세스 토큰이 필요합니다. 사용자가 계정 페이지의 “API 액세스”에서 만듭니다.',
  ofUser: '이 사용자의 호출만 표시',
  withToken: '이 토큰의 호출만 표시',
};
