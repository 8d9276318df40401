/** Texts of dictation and of reading aloud. */
export const speech = {
  dictate: 'Dictate',
  recording: 'Recording …',
  writeDown: 'Stop and transcribe',
  discard: 'Discard the recording',
  writingDown: 'Transcribing …',
  nothingHeard: 'No words were recognized. Try again.',
  noMicrophone: 'The microphone cannot be used. Allow it for this site in the browser, and try again.',
  readAloud: 'Read aloud',
  stopReading: 'Stop reading aloud',
  nothingToRead: 'This reply contains nothing that can be read aloud.',
  noSound: 'The browser cannot play the sound. Allow sound for this site, and try again.',
};
