import type { palette as English } from '../../en/shell/palette.ts';

/** Texts of the dialog that Ctrl+K opens. */
export const palette: typeof English = {
  placeholder: '페이지, 작업, 채팅, 봇',
  placeholderOfAdmin: '페이지, 작업, 채팅, 봇, 사용자',
  noMatch: '일치하는 항목이 없습니다.',
  searching: '검색 중…',
  sections: { pages: '페이지', actions: '작업', chats: '채팅', bots: '봇', people: '사용자' },
  failed: '검색하지 못했습니다. 다시 입력해 보세요.',
  newBot: '새 봇',
  lightTheme: '라이트 테마 사용',
  darkTheme: '다크 테마 사용',
  systemTheme: '시스템 테마 사용',
};
