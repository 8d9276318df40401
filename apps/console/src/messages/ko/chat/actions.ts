import type { chatActions as English } from '../../en/chat/actions.ts';
import { plural } from '../../plural.ts';

/** Texts of a chat's menu and its dialogs. */
export const chatActions: typeof English = {
  share: '공유',
  rename: '이름 변경',
  renamed: '채팅 이름이 변경되었습니다.',
  title: '이름',
  proposeTitle: '이름 추천',
  pin: '고정',
  unpin: '고정 해제',
  toProject: '프로젝트로 이동',
  memoryOff: '메모리 끄기',
  memoryOn: '메모리 켜기',
  memoryTurnedOff: '이 채팅의 메모리가 꺼졌습니다.',
  memoryTurnedOn: '이 채팅의 메모리가 켜졌습니다.',
  download: 'Markdown으로 다운로드',
  print: '인쇄',
  deleteChat: '삭제',
  deleteTitle: '채팅을 삭제하시겠습니까?',
  deleteText: (title) => `“${title}” 채팅이 모든 메시지 및 파일과 함께 삭제됩니다. 이 작업은 되돌릴 수 없습니다. 비용 합계는 유지됩니다.`,
  deleted: (title, messages) =>
    `“${title}” 채팅이 ${plural(messages, { other: '메시지 {n}개' })}와 함께 삭제되었습니다. 암호화 키도 파기되었습니다.`,
};
