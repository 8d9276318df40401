import type { shortcuts as English } from '../../en/shell/shortcuts.ts';

/** Texts of the list of keyboard shortcuts. */
export const shortcuts: typeof English = {
  title: '키보드 단축키',
  keys: { control: 'Ctrl', shift: 'Shift', enter: 'Enter', escape: 'Esc' },
  everywhere: '모든 페이지',
  palette: '검색 및 명령 실행',
  newChat: '새 채팅 시작',
  navigation: '탐색 메뉴 숨기기/표시',
  field: '메시지 입력란으로 이동',
  list: '이 목록 표시',
  inMessage: '메시지 작성 중',
  send: '보내기',
  newLine: '줄 바꿈',
  bot: '봇 선택',
  prompt: '프롬프트 삽입(줄 맨 앞에서)',
};
