import type { ExceededBudget } from '@parlance/client';
import type { common as English } from '../en/common.ts';

const PERIODS = { DAY: '일일', WEEK: '주간', MONTH: '월간' };
const OWNERS = { all: '전체 사용자', bot: '이 봇', key: '이 API 키', token: '이 토큰', cost_centre: '이 비용 센터' };

function nameOfBudget({ scope, group, period }: ExceededBudget): string {
  const name = `${PERIODS[period]} 예산`;
  if (scope === 'user') return `내 ${name}`;
  return scope === 'group' ? `${group} 그룹의 ${name}` : `${OWNERS[scope]}의 ${name}`;
}

export const common: typeof English = {
  appName: 'Parlance',
  save: '저장',
  passwordHelp: '8자 이상 입력하세요.',
  showPassword: '비밀번호 표시',
  cancel: '취소',
  close: '닫기',
  delete: '삭제',
  remove: '제거',
  create: '만들기',
  search: '검색',
  copy: '복사',
  copied: '복사됨',
  copyFailed: '브라우저에서 복사를 허용하지 않았습니다. 텍스트를 선택해 직접 복사하세요.',
  retry: '다시 시도',
  back: '뒤로',
  previous: '이전',
  next: '다음',
  more: '더보기',
  loading: '불러오는 중…',
  late: '서버 응답이 느립니다. 불러오는 중…',
  optional: '선택 사항',
  actions: '작업',
  downloadCsv: 'CSV 다운로드',
  asOf: (time) => `${time} 기준`,
  named: (name, value) => `${name}: ${value}`,
  requestId: (id) => `요청 ID: ${id}`,
  errorTitle: '불러오지 못했습니다',
  retriedLater: '페이지에서 자동으로 다시 시도합니다.',
  partMissing: '이 페이지의 일부를 불러오지 못했습니다. 작업 내용을 저장한 다음 페이지를 새로 고치세요.',
  noAnswer: '서버가 응답하지 않습니다. 연결 상태를 확인하고 다시 시도하세요.',
  secretLost: '비밀 값이 담긴 응답을 받지 못했으며 서버에도 사본이 없습니다. 새로 생긴 항목을 삭제하고 다시 만드세요.',
  budgetExceeded: (budget, time) => `${nameOfBudget(budget)}이 부족합니다. ${time}에 초기화됩니다.`,
  stepUpNeeded: '변경된 내용이 없습니다. 다시 시도하고 2단계 인증으로 확인하세요.',
  offline: '서버에 연결되어 있지 않습니다. 다시 연결되면 계속 진행됩니다.',
  notFoundTitle: '페이지를 찾을 수 없습니다',
  notFoundText: '주소를 확인하세요.',
  toStart: '시작 페이지로 이동',
  noAccessTitle: '관리자 전용 페이지입니다',
  noAccessText: '관리자에게 액세스 권한을 요청하세요.',
  skipToContent: '본문으로 건너뛰기',
  menu: '메뉴',
  openMenu: '메뉴 열기',
  closeMenu: '메뉴 닫기',
  hideNavigation: '탐색 메뉴 숨기기',
  showNavigation: '탐색 메뉴 표시',
  commands: '검색 및 명령',
  account: '계정',
  signOut: '로그아웃',
  newChat: '새 채팅',
  chats: '채팅',
  bots: '봇',
  store: '스토어',
  prompts: '프롬프트',
  admin: '관리',
};
