import type { botChoice as English } from '../../en/chat/bot-choice.ts';
import { plural } from '../../plural.ts';

/** Texts of the lists from which a bot is chosen for a chat. */
export const botChoice: typeof English = {
  yourBots: '내 봇',
  showBots: '내 봇 표시',
  hideBots: '내 봇 숨기기',
  allBots: '모든 봇',
  starred: '별표 표시됨',
  pinned: '고정됨',
  listLabel: '채팅할 봇',
  startsChat: '이 봇과 새 채팅을 시작합니다. 입력한 내용은 유지됩니다.',
  searching: '검색 중…',
  found: (n) => plural(n, { other: '봇 {n}개. 화살표 키로 선택하세요.' }),
  noMatch: '일치하는 봇이 없습니다.',
  preparing: '봇을 준비하고 있습니다. 준비되는 대로 여기에 표시됩니다.',
  noBots: '아직 봇이 없습니다.',
  shelfEmpty: '별표를 표시하거나 사용한 봇이 여기에 표시됩니다.',
  toStore: '스토어에서 봇 찾기',
  create: '봇 만들기',
};
