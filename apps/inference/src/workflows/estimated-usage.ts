import { countTokens, type Prompt, type Usage } from '@parlance/chat-models';

/** Characters of a prompt that are counted exactly. More are estimated by samples. */
const COUNTED_EXACTLY = 64 * 1_024;

/** The tokens of a call whose provider reported none: those of the prompt, and those that were produced. */
export async function estimatedUsage({ instruction, knowledge, turns }: Prompt, produced: readonly string[]): Promise<Usage> {
  const given = [instruction, ...(knowledge?.chunks ?? []).map(({ content }) => content), ...turns.map(({ text }) => text)];
  const [inputTokens, outputTokens] = [await tokensOf(given), await tokensOf(produced)];
  return { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true };
}

async function tokensOf(texts: readonly string[]): Promise<number> {
  const share = Math.min(1, COUNTED_EXACTLY / texts.reduce((sum, { length }) => sum + length, 1));
  let tokens = 0;
  for (const text of texts) if (text !== '') tokens += (await countTokens(text, text.length * share)).tokens;
  return tokens;
}
