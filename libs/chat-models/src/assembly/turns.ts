import type { ToolDefinition } from '@parlance/tools';
import type { Turn } from '../chat-model.ts';

/** A turn of the user with the answers behind it, and the results of tools between them. A failed answer is missing, so there may be none. */
export type Exchange = readonly Turn[];

/** Tokens that providers add to each message, and that an image has at most. */
const FOR_MESSAGE = 4;
const FOR_IMAGE = 1_600;
/** Bytes of a token: of a text, and of a document with its layout. */
const BYTES_OF_TEXT = 3;
const BYTES_OF_DOCUMENT = 16;

/** Splits turns into the exchanges before the question, and the question with the beginning of its answer. Turns without content are left out. */
export function conversationOf(turns: readonly Turn[]): { readonly exchanges: readonly Exchange[]; readonly question: Exchange } {
  const exchanges: Turn[][] = [];
  for (const turn of turns) {
    if (turn.text === '' && !turn.files?.length && !turn.calls?.length && !turn.results?.length) continue;
    if (turn.role === 'user') exchanges.push([turn]);
    // An answer without its question cannot be understood, and providers refuse a conversation that begins with it.
    else exchanges.at(-1)?.push(turn);
  }
  const question = exchanges.pop() ?? [{ role: 'user', text: '' }];
  return { exchanges, question };
}

/** All text of a turn: its own, that of its calls, and that of results. */
export function textOf({ text, calls, results }: Turn): string {
  if (!calls && !results) return text;
  const made = (calls ?? []).map(({ name, input }) => `${name} ${JSON.stringify(input)}`);
  return [text, ...made, ...(results ?? []).map((result) => result.text)].filter((each) => each !== '').join('\n');
}

/** What a provider is told of tools, for counting. */
export const toolsText = (tools: readonly ToolDefinition[]): string => (tools.length === 0 ? '' : JSON.stringify(tools));

export const turnTokens = (textTokens: number): number => textTokens + FOR_MESSAGE;

/** An estimate: providers do not say in advance how they count files. */
export function filesTokens({ files = [] }: Turn): number {
  return files.reduce((sum, { mediaType, bytes }) => {
    if (mediaType.startsWith('image/')) return sum + FOR_IMAGE;
    return sum + Math.ceil(bytes.byteLength / (mediaType.startsWith('text/') ? BYTES_OF_TEXT : BYTES_OF_DOCUMENT));
  }, 0);
}
