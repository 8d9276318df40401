import type { speech as English } from '../../en/chat/speech.ts';

/** Texts of dictation and of reading aloud. */
export const speech: typeof English = {
  dictate: '音声入力',
  recording: '録音中…',
  writeDown: '停止して文字起こし',
  discard: '録音を破棄',
  writingDown: '文字起こし中…',
  nothingHeard: '言葉を認識できませんでした。もう一度お試しください。',
  noMicrophone: 'マイクを使用できません。ブラウザーでこのサイトのマイクを許可してから、もう一度お試しください。',
  readAloud: '読み上げ',
  stopReading: '読み上げを停止',
  nothingToRead: 'この回答には読み上げられる内容がありません。',
  noSound: 'ブラウザーで音声を再生できません。このサイトの音声を許可してから、もう一度お試しください。',
};
