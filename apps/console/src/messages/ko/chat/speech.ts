import type { speech as English } from '../../en/chat/speech.ts';

/** Texts of dictation and of reading aloud. */
export const speech: typeof English = {
  dictate: '음성 입력',
  recording: '녹음 중…',
  writeDown: '중지하고 텍스트로 변환',
  discard: '녹음 삭제',
  writingDown: '텍스트로 변환 중…',
  nothingHeard: '음성이 인식되지 않았습니다. 다시 시도하세요.',
  noMicrophone: '마이크를 사용할 수 없습니다. 브라우저에서 이 사이트의 마이크를 허용한 후 다시 시도하세요.',
  readAloud: '소리 내어 읽기',
  stopReading: '읽기 중지',
  nothingToRead: '이 답변에는 소리 내어 읽을 수 있는 내용이 없습니다.',
  noSound: '브라우저에서 소리를 재생할 수 없습니다. 이 사이트의 소리를 허용한 후 다시 시도하세요.',
};
