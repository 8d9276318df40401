import { ChatModel, type Generated, type Turn } from './chat-model.ts';

/**
 * The offline model: it writes nothing of its own, it quotes. Deterministic, and honest about what it is; so everything
 * works at once, without an account. Its tokens are counted by a real tokenizer.
 */
export class LocalExtractive extends ChatModel {
  async generate(turns: readonly Turn[]): Promise<Generated> {
    // Loaded when first needed: its tables take 30 MB that an idle process does not want.
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
    const text =
      "I am Parlance's offline model. I answer by quoting text that was retrieved for a question, and nothing was retrieved for this one. " +
      'Configure a provider under `models` to talk with a language model.';
    const inputTokens = turns.reduce((sum, turn) => sum + countTokens(turn.text), 0);
    return { text, usage: { inputTokens, outputTokens: countTokens(text), cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false } };
  }
}
