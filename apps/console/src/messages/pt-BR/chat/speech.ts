import type { speech as English } from '../../en/chat/speech.ts';

/** Texts of dictation and of reading aloud. */
export const speech: typeof English = {
  dictate: 'Ditar',
  recording: 'Gravando…',
  writeDown: 'Parar e transcrever',
  discard: 'Descartar a gravação',
  writingDown: 'Transcrevendo…',
  nothingHeard: 'Nenhuma palavra foi reconhecida. Tente novamente.',
  noMicrophone: 'Não é possível usar o microfone. Permita-o para este site no navegador e tente novamente.',
  readAloud: 'Ler em voz alta',
  stopReading: 'Parar a leitura',
  nothingToRead: 'Esta resposta não contém nada que possa ser lido em voz alta.',
  noSound: 'O navegador não consegue reproduzir o som. Permita o som para este site e tente novamente.',
};
