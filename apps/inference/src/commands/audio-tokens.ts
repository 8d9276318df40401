/** In most languages people speak 12 to 17 characters in a second. */
const CHARACTERS_IN_A_SECOND = 15;
/** As OpenAI's models count audio that they write. */
const SPOKEN_TOKENS_IN_A_SECOND = 20;

export const secondsSpoken = (text: string): number => text.length / CHARACTERS_IN_A_SECOND;
export const tokensSpoken = (seconds: number): number => Math.ceil(seconds * SPOKEN_TOKENS_IN_A_SECOND);

/** As OpenAI's models count audio that they hear. */
const HEARD_TOKENS_IN_A_SECOND = 10;
/** Tokens of the text that is spoken in a second. */
const WRITTEN_TOKENS_IN_A_SECOND = 5;
/** Bytes of a second of speech in a compressed format, at least. */
const COMPRESSED_BYTES_IN_A_SECOND = 2_000;
/** Where the header of a WAV file has the bytes of a second. */
const WAV_RATE_AT = 28;

export const tokensHeard = (seconds: number): number => Math.ceil(seconds * HEARD_TOKENS_IN_A_SECOND);
export const tokensWritten = (seconds: number): number => Math.ceil(seconds * WRITTEN_TOKENS_IN_A_SECOND);

/** The most seconds of audio that a file has. */
export function secondsIn(file: Buffer): number {
  const isWav = file.length >= WAV_RATE_AT + 4 && file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WAVE';
  const bytesInASecond = isWav ? file.readUInt32LE(WAV_RATE_AT) : 0;
  return file.length / Math.max(bytesInASecond, COMPRESSED_BYTES_IN_A_SECOND);
}
