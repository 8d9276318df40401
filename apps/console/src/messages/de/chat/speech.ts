import type { speech as English } from '../../en/chat/speech.ts';

/** Texts of dictation and of reading aloud. */
export const speech: typeof English = {
  dictate: 'Diktieren',
  recording: 'Aufnahme läuft …',
  writeDown: 'Beenden und in Text umwandeln',
  discard: 'Aufnahme verwerfen',
  writingDown: 'Wird in Text umgewandelt …',
  nothingHeard: 'Es wurden keine Wörter erkannt. Versuchen Sie es noch einmal.',
  noMicrophone: 'Das Mikrofon kann nicht verwendet werden. Erlauben Sie es im Browser für diese Website, und versuchen Sie es noch einmal.',
  readAloud: 'Vorlesen',
  stopReading: 'Vorlesen beenden',
  nothingToRead: 'Diese Antwort enthält nichts, was vorgelesen werden kann.',
  noSound: 'Der Browser kann den Ton nicht abspielen. Erlauben Sie Ton für diese Website, und versuchen Sie es noch einmal.',
};
