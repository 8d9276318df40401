import type { promptChoice as English } from '../../en/chat/prompt-choice.ts';
import { plural } from '../../plural.ts';

/** Texts for using a prompt of the library in a message. */
export const promptChoice: typeof English = {
  listLabel: '프롬프트',
  searching: '검색 중…',
  found: (n) => plural(n, { other: '프롬프트 {n}개. 화살표 키로 선택하세요.' }),
  noMatch: '일치하는 프롬프트가 없습니다.',
  none: '아직 프롬프트가 없습니다. 메뉴의 “프롬프트”에서 만드세요.',
  insert: '삽입',
};
