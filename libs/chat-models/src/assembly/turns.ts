import type { ToolDefinition } from '@parlance/tools';
import type { Turn } from '../chat-model.ts';

/** A turn of the user, the answers to it, and the tool results between them. A failed answer is missing, so there may be none. */
export type Exchange = readonly Turn[];

/** Tokens that providers add to each message, and the maximum of an image. */
const FOR_MESSAGE = 4;
const FOR_IMAGE = 1_600;
/** Bytes per token: of a text, and of a document with its layout. */
const BYTES_OF_TEXT = 3;
const BYTES_OF_DOCUMENT = 16;

/** Splits turns into the exchanges before the question, and the question with the beginning of its answer. Empty turns are left out. */
export function conversationOf(turns: readonly Turn[]): { readonly exchanges: readonly Exchange[]; readonly question: Exchange } {
  const exchanges: Turn[][] = [];
  for (const turn of turns) {
    if (turn.text === '' && !turn.files?.length && !turn.calls?.length && !turn.results?.length) continue;
    if (turn.role === 'user') exchanges.push([turn]);
    // An answer makes no sense without its question, and providers refuse a conversation that starts with an answer.
    else exchanges.at(-1)?.push(turn);
  }
  const question = exchanges.pop() ?? [{ role: 'user', text: '' }];
  return { exchanges, question };
}

/** All text of a turn, including its calls and results. */
export function textOf({ text, calls, results }: Turn): string {
  if (!calls && !results) return text;
  const callTexts = (calls ?? []).map(({ name, input }) => `${name} ${JSON.stringify(input)}`);
  return [text, ...callTexts, ...(results ?? []).map((result) => result.text)].filter((each) => each !== '').join('\n');
}

/** The tool definitions as text, for counting. */
export const toolsText = (tools: readonly ToolDefinition[]): string => (tools.length === 0 ? '' : JSON.stringify(tools));

export const turnTokens = (textTokens: number): number => textTokens + FOR_MESSAGE;

/** An estimate, because providers do not say in advance how they count files. */
export function filesTokens({ files = [] }: Turn): number {
  return files.reduce((sum, { mediaType, bytes }) => {
    if (mediaType.startsWith('image/')) return sum + FOR_IMAGE;
    return sum + Math.ceil(bytes.byteLength / (mediaType.startsWith('text/') ? BYTES_OF_TEXT : BYTES_OF_DOCUMENT));
  }, 0);
}
