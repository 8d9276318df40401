import { ChatModel, type Generated, type Turn } from './chat-model.ts';
import { COUNTED_EXACTLY, countTokens } from './count-tokens.ts';

const TEXT =
  "I am Parlance's offline model. I answer by quoting text that was retrieved for a question, and nothing was retrieved for this one. " +
  'Configure a provider under `models` to talk with a language model.';

/** The offline model, for use without an account. It only quotes, says that it is a model that quotes, and is deterministic. */
export class LocalExtractive extends ChatModel {
  async generate(turns: readonly Turn[], signal: AbortSignal): Promise<Generated> {
    const characters = turns.reduce((sum, { text }) => sum + text.length, 0);
    const share = Math.min(1, COUNTED_EXACTLY / characters);
    let inputTokens = 0;
    let estimated = false;
    for (const { text } of turns) {
      signal.throwIfAborted();
      const counted = await countTokens(text, text.length * share);
      inputTokens += counted.tokens;
      estimated ||= counted.estimated;
    }
    const { tokens: outputTokens } = await countTokens(TEXT);
    return { text: TEXT, usage: { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, estimated } };
  }
}
