import type { Chunk, Prompt, Produced, Turn } from '@parlance/chat-models';
import {
  CheckedText,
  checkText,
  type Guardrails,
  Masking,
  slicesOf,
  type StageChecks,
  type Surface,
  type Unmasker,
  Verdicts,
} from '@parlance/guardrails';
import type { PolicyVerdict } from '../../domain/conversation-events.ts';
import { blockedMessage } from './blocked-message.ts';

/** The guardrails of one model call, which is given the masked prompt. */
export interface GuardedCall {
  readonly prompt: Prompt;
  /** The policy that has ended the answer, or null. */
  readonly blockedBy: string | null;
  /** The same part with the text that may be shown, or the input that a tool may get. Texts may be held back. */
  checked<Part extends Produced | { readonly type: 'begin' }>(part: Part): Promise<Part>;
  /** The texts that were held back. Call it after the last part. */
  end(): { readonly text: string; readonly reasoning: string };
}

/** The policies for one reply or one title: what they have found, and the placeholders of its masked values. */
export class CallGuardrails {
  private readonly masking = new Masking();
  private readonly input: Verdicts;
  private readonly output: Verdicts;
  /** Earlier texts cannot be refused, so blocked values in them are masked. */
  private readonly softened: StageChecks;
  /** Texts that are shown with an answer cannot end it, so blocked values in them are hidden. */
  private readonly softenedOutput: StageChecks;
  private readonly masked = new Map<string, string>();
  private answer: string[] = [];

  constructor(guardrails: Guardrails, surface: Surface) {
    this.input = new Verdicts(guardrails.of(surface, 'input'));
    this.output = new Verdicts(guardrails.of(surface, 'output'));
    this.softened = this.input.checks.softened();
    this.softenedOutput = this.output.checks.softened();
  }

  /** Checks and counts the new texts of a message. Throws the refusal `guardrail_blocked` (invalid). */
  async check(texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      await checkText(text, this.input, this.masking);
      if (this.input.blockedBy !== null) throw blockedMessage(this.input);
    }
  }

  /** The prompt with placeholders in its texts. Files themselves, such as images, are unchanged. */
  async prompt(prompt: Prompt): Promise<Prompt> {
    if (!this.softened.changesTexts) return prompt;
    const { instruction, knowledge, memory, turns } = prompt;
    return {
      ...prompt,
      instruction: await this.mask(instruction),
      ...(memory && { memory: await inOrder(memory, (entry) => this.mask(entry)) }),
      turns: await inOrder(turns, (turn) => this.turn(turn)),
      knowledge: knowledge && {
        ...knowledge,
        chunks: await inOrder(knowledge.chunks, async (chunk) => ({
          ...chunk,
          source_name: await this.mask(chunk.source_name),
          heading: chunk.heading === null ? null : await this.mask(chunk.heading),
          content: await this.mask(chunk.content),
        })),
      },
    };
  }

  /** `isHeld`: the texts of earlier calls are not part of the answer. */
  async begin(prompt: Prompt, isHeld: boolean): Promise<GuardedCall> {
    if (isHeld) this.answer = [];
    const { output, masking, answer } = this;
    const [text, reasoning] = [new AnswerText(output, masking), new AnswerText(output, masking)];
    return {
      prompt: await this.prompt(prompt),
      get blockedBy() {
        return output.blockedBy;
      },
      async checked(part) {
        if (part.type === 'tool_call') return { ...part, input: withTexts(part.input, (each) => masking.unmask(each)) };
        if (part.type !== 'text' && part.type !== 'reasoning') return part;
        if (part.type === 'text' && output.checks.changesTexts) answer.push(part.text);
        return { ...part, text: await (part.type === 'text' ? text : reasoning).add(part.text) };
      },
      end: () => ({ reasoning: reasoning.end(), text: text.end() }),
    };
  }

  /** A whole answer that was not streamed. Null if it is blocked. */
  async whole(text: string): Promise<string | null> {
    const checked = await checkText(text, this.output, this.masking);
    return this.output.blockedBy === null ? this.masking.unmask(checked) : null;
  }

  /** The policy that has ended the answer, or null. */
  get blockedBy(): string | null {
    return this.output.blockedBy;
  }

  /** The chunks as they are shown with the answer. */
  async shown(chunks: readonly Chunk[]): Promise<readonly Chunk[]> {
    const { softenedOutput: checks, masking } = this;
    if (!checks.changesTexts) return chunks;
    return inOrder(chunks, async (chunk) => ({ ...chunk, content: await checkText(chunk.content, new Verdicts(checks), masking) }));
  }

  /** The model's answer, if a policy has changed it. Otherwise null. */
  get original(): string | null {
    const isChanged = this.output.all().some(({ action }) => action !== 'flag');
    return isChanged ? this.masking.unmask(this.answer.join('')) : null;
  }

  verdicts(): readonly PolicyVerdict[] {
    return [...this.input.all(), ...this.output.all()];
  }

  private async turn(turn: Turn): Promise<Turn> {
    const { text, files, calls, results } = turn;
    return {
      ...turn,
      text: await this.mask(text),
      ...(files && {
        files: await inOrder(files, async (file) => ({
          ...file,
          name: file.name === null ? null : await this.mask(file.name),
          ...(file.text !== undefined && { text: await this.mask(file.text) }),
        })),
      }),
      ...(calls && { calls: await inOrder(calls, async (call) => ({ ...call, input: await this.maskedInput(call.input) })) }),
      ...(results && { results: await inOrder(results, async (result) => ({ ...result, text: await this.mask(result.text) })) }),
    };
  }

  private async maskedInput(input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    const texts: string[] = [];
    withTexts(input, (text) => (texts.push(text), text));
    for (const text of texts) await this.mask(text);
    return withTexts(input, (text) => this.masked.get(text) ?? text);
  }

  /** A reply with tools has the same texts in each of its prompts. */
  private async mask(text: string): Promise<string> {
    if (text === '') return text;
    const known = this.masked.get(text) ?? (await checkText(text, new Verdicts(this.softened), this.masking));
    this.masked.set(text, known);
    return known;
  }
}

/** The text or the reasoning of an answer: checked, then with the caller's own values in place of their placeholders. */
export class AnswerText {
  private readonly checked: CheckedText;
  private readonly unmasker: Unmasker;

  constructor(verdicts: Verdicts, masking: Masking) {
    this.checked = new CheckedText(verdicts, masking);
    this.unmasker = masking.unmasker();
  }

  async add(part: string): Promise<string> {
    let shown = '';
    for await (const slice of slicesOf(part)) shown += this.unmasker.add(this.checked.add(slice));
    return shown;
  }

  end(): string {
    return this.unmasker.add(this.checked.end()) + this.unmasker.end();
  }
}

async function inOrder<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** A copy of a JSON value with other texts. */
function withTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => withTexts(each, change)) as Value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTexts(each as unknown, change)])) as Value;
}
