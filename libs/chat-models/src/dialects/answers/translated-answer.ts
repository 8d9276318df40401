import { GenerationFailed } from '../../providers/generation-failed.ts';
import { ended, LONGEST_NAME, type Part, type Reader } from '../../providers/provider-model.ts';
import { AnthropicEvents, anthropicAnswer, anthropicError } from './anthropic-answer.ts';
import { type AnswerHead, type AnswerPart, AnswerParts, CollectedParts } from './answer-parts.ts';
import { openAiAnswer, openAiError, OpenAiEvents } from './openai-answer.ts';
import { ResponseEvents, responsesAnswer } from './responses-answer.ts';
import type { TranslatedFormat } from '../translation-target.ts';

/** Characters of a provider's text about a request that it refuses. */
const LONGEST_ERROR = 2_000;

const writers = {
  openai: { events: OpenAiEvents, whole: openAiAnswer, error: openAiError },
  anthropic: { events: AnthropicEvents, whole: anthropicAnswer, error: anthropicError },
  responses: { events: ResponseEvents, whole: responsesAnswer, error: openAiError },
} as const;

/** How an answer is written. */
export interface AnswerForm extends AnswerHead {
  readonly format: TranslatedFormat;
  readonly isStreamed: boolean;
}

/** An error of a provider in the form of an API. */
export const translatedError = (format: TranslatedFormat, message: string): string =>
  JSON.stringify(writers[format].error(message.slice(0, LONGEST_ERROR)));

/** Writes the answer of a provider in the format of another API. */
export class TranslatedAnswer {
  private readonly reader: Reader;
  private readonly parts = new AnswerParts();
  private readonly collected = new CollectedParts();
  private first: readonly AnswerPart[] = [];
  private model: string;

  constructor(
    stream: ReadableStream<Part>,
    private readonly form: AnswerForm,
  ) {
    this.reader = stream.getReader();
    this.model = form.model;
  }

  /** Resolves when the answer has begun. Rejects with the error of the SDK, or `GenerationFailed`. */
  async begin(): Promise<void> {
    this.first = await this.next();
  }

  /** The bytes of the answer. `onPart` is called when a part has arrived. Throws as `begin`. */
  async *bytes(onPart: () => void): AsyncGenerator<Buffer> {
    const { form } = this;
    const head = { ...form, model: this.model };
    const { events, whole } = writers[form.format];
    const written = form.isStreamed ? new events(head) : null;
    if (written) yield Buffer.from(written.begin());
    for (let parts = this.first; ; parts = await this.next()) {
      onPart();
      const text = written ? parts.map((part) => written.part(part)).join('') : '';
      if (text !== '') yield Buffer.from(text);
      const end = parts.find((part) => part.type === 'end');
      if (!written) for (const part of parts) this.collected.add(part);
      if (!end) continue;
      if (!written) yield Buffer.from(JSON.stringify(whole(head, this.collected.whole(end))));
      // So that the connection can be reused.
      await ended(this.reader);
      return;
    }
  }

  /** What the model has written so far of an answer that is no stream. */
  get produced(): string {
    return this.collected.produced;
  }

  cancel(): void {
    this.reader.cancel().catch(() => undefined);
  }

  private async next(): Promise<readonly AnswerPart[]> {
    for (;;) {
      const { done, value } = await this.reader.read();
      if (done) throw new GenerationFailed('stream_broken');
      if (value.type === 'response-metadata') this.model = value.modelId?.slice(0, LONGEST_NAME) ?? this.model;
      const parts = this.parts.of(value);
      if (parts.length > 0) return parts;
    }
  }
}
