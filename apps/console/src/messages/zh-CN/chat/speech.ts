import type { speech as English } from '../../en/chat/speech.ts';

/** Texts of dictation and of reading aloud. */
export const speech: typeof English = {
  dictate: '语音输入',
  recording: '正在录音…',
  writeDown: '停止并转成文字',
  discard: '放弃录音',
  writingDown: '正在转成文字…',
  nothingHeard: '没有识别到语音，请重试。',
  noMicrophone: '无法使用麦克风。请在浏览器中允许此网站使用麦克风，然后重试。',
  readAloud: '朗读',
  stopReading: '停止朗读',
  nothingToRead: '此回复中没有可以朗读的内容。',
  noSound: '浏览器无法播放声音。请允许此网站播放声音，然后重试。',
};
