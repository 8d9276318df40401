import type { unsaved as English } from '../en/unsaved.ts';

/** Texts of the question before unsaved changes are discarded. */
export const unsaved: typeof English = {
  changed: { title: '변경사항을 버리시겠습니까?', text: '이 페이지의 변경사항이 저장되지 않았습니다.' },
  ended: {
    title: '세션이 종료되었습니다',
    text: '변경사항을 유지하려면 취소를 선택하고 다른 탭에서 다시 로그인한 후 여기에서 저장하세요.',
  },
  discard: '버리기',
};
