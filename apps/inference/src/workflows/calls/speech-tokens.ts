/** In most languages people speak 12 to 17 characters in a second. */
const CHARACTERS_IN_A_SECOND = 15;
/** As OpenAI's models count audio that they write. */
const SPOKEN_TOKENS_IN_A_SECOND = 20;

export const secondsSpoken = (text: string): number => text.length / CHARACTERS_IN_A_SECOND;
export const tokensSpoken = (seconds: number): number => Math.ceil(seconds * SPOKEN_TOKENS_IN_A_SECOND);
