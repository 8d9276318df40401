import { countTokensOfAll } from '@parlance/chat-models';
import type { MessageFile } from '../domain/conversation-events.ts';
import { chooseFiles, type SizedFile, type Takes } from '../workflows/files/prompt-files.ts';

/**
 * Characters whose tokens are counted: in all texts together, and at least 1,024 in each. The rest is extrapolated. Takes 8 ms for one long
 * text, 13 ms for 50.
 */
const COUNTED_CHARACTERS = 32 * 1024;
/** An upper bound for an image, and for a page of a document, which providers pass to the model as both text and image. */
export const TOKENS_OF_AN_IMAGE = 1_600;
/** Bytes per token of a document whose pages were not counted. */
const BYTES_PER_DOCUMENT_TOKEN = 16;
/**
 * Bytes per token of a text whose tokens were not counted. Base64 and random ASCII have 1.3 to 1.5, numbers 1.6 to 3, sentences 3 to 8. Only
 * rare scripts have fewer.
 */
const BYTES_PER_DENSE_TOKEN = 1.3;

/** The properties of a message's file that determine its tokens. */
export type CountedFile = SizedFile & Pick<MessageFile, 'textTokens' | 'pages'>;

/** Tokens of the texts of a prompt. */
export const tokensOfTexts = async (texts: readonly string[]): Promise<number> =>
  (await countTokensOfAll(texts, COUNTED_CHARACTERS, { placeOf: Math.random })).tokens;

/** An upper bound for the tokens of a text of this size. Only texts in rare scripts exceed it. */
export const mostTokensOfBytes = (bytes: number): number => Math.ceil(bytes / BYTES_PER_DENSE_TOKEN);

/** Tokens of the files that a prompt includes. `files`: all files of its turns, the latest first. */
export const tokensOfFiles = (files: readonly CountedFile[], takes: Takes): number =>
  chooseFiles(files, takes).reduce(
    (sum, { file, asFile, asText }) => sum + (asFile ? tokensOfFile(file) : 0) + (asText ? tokensOfFileText(file) : 0),
    0,
  );

function tokensOfFile({ kind, bytes, pages }: CountedFile): number {
  if (kind === 'image') return TOKENS_OF_AN_IMAGE;
  return pages === undefined ? Math.ceil(bytes / BYTES_PER_DOCUMENT_TOKEN) : pages * TOKENS_OF_AN_IMAGE;
}

const tokensOfFileText = ({ textBytes = 0, textTokens = mostTokensOfBytes(textBytes) }: CountedFile): number => textTokens;
