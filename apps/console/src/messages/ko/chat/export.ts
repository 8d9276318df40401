import type { chatExport as English } from '../../en/chat/export.ts';

/** Texts of an exported chat. */
export const chatExport: typeof English = {
  you: '나',
  exported: (time) => `${time}에 내보냈습니다.`,
  bot: (title) => `“${title}” 봇과의 채팅입니다.`,
  attached: (name) => `첨부: ${name}`,
  image: '이미지',
  tool: (name) => `${name} 도구를 호출했습니다.`,
  failed: '이 답변은 실패했습니다.',
  page: (page) => `${page}페이지`,
  tooLong: (n) => `최신 메시지 ${n}개만 포함되어 있습니다.`,
};
