import type { admin as English } from '../en/admin.ts';

/** The names of the pages in pages/admin. Their texts are loaded with them. */
export const admin: typeof English = {
  pages: {
    overview: '개요',
    users: '사용자',
    groups: '그룹',
    invitations: '초대',
    serviceAccounts: '서비스 계정',
    tokens: '액세스 토큰',
    costs: '비용',
    calls: '호출',
    bots: '봇',
    quality: '품질',
    questions: '질문',
    apis: '게시된 API',
    audit: '감사 로그',
    models: '모델 및 가격',
    guardrails: '가드레일',
    budgets: '예산',
    retention: '보존 규칙',
    holds: '삭제 보류',
    exports: '내보내기',
    webhooks: '웹훅',
    identity: 'ID 공급자',
    health: '시스템 상태',
  },
};
