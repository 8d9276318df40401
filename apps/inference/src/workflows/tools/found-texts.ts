import type { Chunk } from '@parlance/chat-models';
import { CHUNK_BYTES, MOST_CHUNKS } from '../../adapters/from-bot.ts';
import type { FoundTexts, OpenedRound } from './opened-rounds.ts';
import type { PromptOfBot } from '../writing/reply-prompt.ts';

/**
 * Adds the texts that searches in the rounds have found. The numbers of the first round stay, even if the bot now returns other texts for the
 * question, because the text written so far refers to them.
 */
export function withFoundTexts(prompt: PromptOfBot, rounds: readonly OpenedRound[]): PromptOfBot {
  const { knowledge, bot } = prompt;
  if (!knowledge || rounds.length === 0) return prompt;
  const first = rounds[0]!.found ?? { chunks: [], chunkIds: [] };
  const found = [first, ...rounds.flatMap(({ calls }) => calls.flatMap((call) => call.found ?? []))];
  const chunks = found.flatMap((each) => each.chunks).toSorted((a, b) => a.rank - b.rank);
  const idOf = new Map(found.flatMap((each) => each.chunks.map(({ rank }, index) => [rank, each.chunkIds[index] ?? ''])));
  return {
    ...prompt,
    knowledge: { ...knowledge, chunks },
    bot: bot && { ...bot, chunkIds: chunks.map(({ rank }) => idOf.get(rank)!) },
  };
}

/** Numbers texts after those in the prompt. `numbers`: of all found texts. `added`: the texts that are not yet in the prompt. */
export function numbered(found: FoundTexts, before: readonly Chunk[]): { readonly numbers: readonly number[]; readonly added: FoundTexts } {
  const [chunks, chunkIds, numbers]: [Chunk[], string[], number[]] = [[], [], []];
  let left = CHUNK_BYTES - before.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  for (const [index, chunk] of found.chunks.entries()) {
    const same = before.find(({ source_id, content }) => source_id === chunk.source_id && content === chunk.content);
    const rank = same?.rank ?? before.length + chunks.length + 1;
    if (!same) {
      left -= Buffer.byteLength(chunk.content);
      if (left < 0 || rank > MOST_CHUNKS) continue;
      chunks.push({ ...chunk, rank });
      chunkIds.push(found.chunkIds[index] ?? '');
    }
    numbers.push(rank);
  }
  return { numbers, added: { chunks, chunkIds } };
}

/** The result of a search for the model. The texts themselves are in its instructions, between their delimiters. */
export function searchResultText(numbers: readonly number[]): string {
  if (numbers.length === 0) return 'Nothing was found. Try other words, or answer without it.';
  return `Found: the texts with the numbers ${numbers.join(', ')} in your instructions.`;
}

/** The texts that the bot found for the question. Null if there are none. */
export function foundIn(prompt: PromptOfBot | null): FoundTexts | null {
  const chunks = prompt?.knowledge?.chunks ?? [];
  return chunks.length === 0 ? null : { chunks, chunkIds: prompt?.bot?.chunkIds ?? [] };
}
