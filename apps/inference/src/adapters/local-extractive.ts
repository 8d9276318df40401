import { ChatModel, type Generated, type Turn } from './chat-model.ts';
import { countTokens } from './count-tokens.ts';

const TEXT =
  "I am Parlance's offline model. I answer by quoting text that was retrieved for a question, and nothing was retrieved for this one. " +
  'Configure a provider under `models` to talk with a language model.';

/** The offline model: it writes nothing of its own, it quotes. Deterministic, and says what it is; so everything works without an account. */
export class LocalExtractive extends ChatModel {
  async generate(turns: readonly Turn[]): Promise<Generated> {
    let inputTokens = 0;
    for (const { text } of turns) inputTokens += await countTokens(text);
    const outputTokens = await countTokens(TEXT);
    return { text: TEXT, usage: { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false } };
  }
}
