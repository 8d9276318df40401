import type { speech as English } from '../../en/chat/speech.ts';

/** Texts of dictation and of reading aloud. */
export const speech: typeof English = {
  dictate: 'Dicter',
  recording: 'Enregistrement…',
  writeDown: 'Arrêter et transcrire',
  discard: 'Supprimer l’enregistrement',
  writingDown: 'Transcription…',
  nothingHeard: 'Aucun mot n’a été reconnu. Réessayez.',
  noMicrophone: 'Le microphone ne peut pas être utilisé. Autorisez-le pour ce site dans le navigateur, puis réessayez.',
  readAloud: 'Lire à voix haute',
  stopReading: 'Arrêter la lecture',
  nothingToRead: 'Cette réponse ne contient rien qui puisse être lu à voix haute.',
  noSound: 'Le navigateur ne peut pas lire le son. Autorisez le son pour ce site, puis réessayez.',
};
