import type { notifications as English } from '../../en/shell/notifications.ts';
import { plural } from '../../plural.ts';

/** Texts of the bell and its list. */
export const notifications: typeof English = {
  title: '알림',
  unread: (n) => plural(n, { other: '알림(읽지 않음 {n}개)' }),
  isNew: '새 알림',
  botShared: '봇이 공유되었습니다',
  promptShared: '프롬프트가 공유되었습니다',
  projectShared: '프로젝트가 공유되었습니다',
  approvalWanted: '답변이 승인을 기다리고 있습니다',
  exportReady: '데이터 내보내기가 준비되었습니다',
  exportUntil: (time) => `${time}까지 다운로드할 수 있습니다.`,
  ownBudget: '내 예산',
  budgetOfAll: '모든 사용자의 예산',
  budgetOf: (name) => `${name}의 예산`,
  otherBudget: '다른 예산',
  spent: (spent, limit) => `${limit} 중 ${spent} 사용`,
  markRead: '모두 읽음으로 표시',
  emptyTitle: '알림이 없습니다',
  emptyText: '공유된 항목, 승인을 기다리는 답변, 준비된 내보내기, 거의 소진된 예산이 여기에 표시됩니다.',
  allow: '이 브라우저에서도 알림 받기',
  denied: '브라우저가 이 페이지의 알림을 차단합니다. 브라우저 설정에서 변경할 수 있습니다.',
};
