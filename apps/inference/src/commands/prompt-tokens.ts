import { countTokens } from '@parlance/chat-models';
import type { MessageFile } from '../domain/conversation-events.ts';

/** Characters that are counted of all texts together, and at least 1,024 of each: 8 ms of processor time for one long text, 13 ms for 50. The rest is estimated from them. */
const COUNTED_CHARACTERS = 32 * 1024;
/** An image has no more. */
export const TOKENS_OF_AN_IMAGE = 1_600;
/** Bytes for each token of a document with its layout. Its text is counted where it has more tokens. */
const BYTES_OF_A_DOCUMENT_TOKEN = 16;
/** Bytes for each token of a text that is not at hand. English, German, Japanese and code have 3.6 to 5.2; only dense JSON has fewer. */
const BYTES_OF_A_TEXT_TOKEN = 3;

/** A file of a message, as far as its tokens depend on it. */
export interface CountedFile {
  readonly kind: MessageFile['kind'];
  readonly bytes: number;
  /** Bytes of the text that was read from it. */
  readonly textBytes?: number;
  /** The text itself, where it is at hand. */
  readonly text?: string;
}

/** Tokens of the texts of a prompt. */
export async function tokensOfTexts(texts: readonly string[]): Promise<number> {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const share = Math.min(1, COUNTED_CHARACTERS / Math.max(1, characters));
  let tokens = 0;
  for (const text of texts) if (text !== '') tokens += (await countTokens(text, text.length * share, Math.random)).tokens;
  return tokens;
}

/** Tokens of texts that are not at hand. */
export const tokensOfBytes = (bytes: number): number => Math.ceil(bytes / BYTES_OF_A_TEXT_TOKEN);

export async function tokensOfFiles(files: readonly CountedFile[]): Promise<number> {
  let tokens = 0;
  for (const { kind, bytes, textBytes = 0, text } of files) {
    if (kind === 'image') tokens += TOKENS_OF_AN_IMAGE;
    else {
      const ofText = text === undefined ? tokensOfBytes(textBytes) : await tokensOfTexts([text]);
      tokens += Math.max(Math.ceil(bytes / BYTES_OF_A_DOCUMENT_TOKEN), ofText);
    }
  }
  return tokens;
}
