import type { speech as English } from '../../en/chat/speech.ts';

/** Texts of dictation and of reading aloud. */
export const speech: typeof English = {
  dictate: 'Dictar',
  recording: 'Grabando…',
  writeDown: 'Detener y transcribir',
  discard: 'Descartar la grabación',
  writingDown: 'Transcribiendo…',
  nothingHeard: 'No se reconoció ninguna palabra. Vuelva a intentarlo.',
  noMicrophone: 'No se puede usar el micrófono. Permítalo para este sitio en el navegador y vuelva a intentarlo.',
  readAloud: 'Leer en voz alta',
  stopReading: 'Detener la lectura',
  nothingToRead: 'Esta respuesta no contiene nada que se pueda leer en voz alta.',
  noSound: 'El navegador no puede reproducir el sonido. Permita el sonido para este sitio y vuelva a intentarlo.',
};
