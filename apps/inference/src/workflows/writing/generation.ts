import type { Begin, CallCharge, ModelWindow, Produced, Prompt, Usage } from '@parlance/chat-models';
import type { AnsweringModel } from '../../adapters/pricing/catalogue.ts';
import type { StopReason } from '../../domain/conversation-events.ts';
import { MAX_CALLS_OF_A_ROUND } from '../../domain/conversation-limits.ts';
import { endedBy } from '../guardrails/blocked-message.ts';
import type { GuardedCall } from '../guardrails/call-guardrails.ts';
import { CitedText } from './cited-text.ts';
import { estimatedUsage } from './estimated-usage.ts';
import { GrowingText } from './growing-text.ts';
import type { LiveReply } from '../live-replies.ts';
import { CitedUrls } from './links/cited-urls.ts';
import { UncitedLinks } from './links/uncited-links.ts';

/** Bytes of a reply's text and reasoning. A reply that reaches the limit ends, as with the provider's own limit. */
export const LONGEST_REPLY_BYTES = 1024 * 1024;

export type Called = Extract<Produced, { type: 'tool_call' }>;

/** One call to a model for a reply. Its output is shown to readers at once, or held back until it was checked. */
export class Generation {
  stopReason: StopReason = 'end_turn';
  /** Whether a provider was called, so that the call may have a cost. */
  wasCalled = false;
  requestId: string | null = null;
  /** Tool calls of the model. Empty if the output was cut, because they may be incomplete. */
  calls: readonly Called[] = [];
  /** The model that answers. Null until its first token, and for a model that is called without the router. */
  begun: Begin | null = null;
  private reported: Usage | null = null;
  private bytesLeft = LONGEST_REPLY_BYTES;
  /** The length of the earlier text and reasoning, which this call did not produce. */
  private readonly before: { readonly text: number; readonly reasoning: number };
  private readonly cited: CitedText;
  private readonly links: { readonly text: UncitedLinks; readonly reasoning: UncitedLinks } | null = null;
  /** When the first part arrived, in milliseconds of the process. Null before. */
  firstAt: number | null = null;
  private readonly held: { readonly text: GrowingText; readonly reasoning: GrowingText } | null;
  private isFull = false;

  constructor(
    private readonly live: LiveReply,
    private readonly prompt: Prompt,
    continues: string,
    /** Whether the output is held back until `release`. */
    isHeld = false,
    /** Whether images and links that are in no source are removed. */
    stripsLinks = false,
    /** Checks the output by the policies of the installation. */
    private readonly guarded: GuardedCall | null = null,
  ) {
    this.held = isHeld ? { text: new GrowingText(), reasoning: new GrowingText() } : null;
    this.cited = new CitedText(prompt.knowledge);
    live.text.add(continues);
    if (stripsLinks) {
      const cited = new CitedUrls(prompt);
      this.links = {
        text: new UncitedLinks(cited, live.text.toString()),
        reasoning: new UncitedLinks(cited, live.reasoning.toString()),
      };
    }
    this.before = { text: live.text.length, reasoning: live.reasoning.length };
    this.bytesLeft -= Buffer.byteLength(live.text.toString());
    if (continues !== '') live.notifyReaders();
  }

  /** Rejects with the model's errors. Resolves when the model has ended, or soon after the reply was stopped. */
  async run(model: AnsweringModel): Promise<void> {
    const { live, cited, links, guarded } = this;
    const { signal } = live;
    signal.throwIfAborted();
    const onCall = () => {
      this.wasCalled = true;
    };
    let hasEnded = false;
    for await (const produced of model.generate(this.sent, signal, onCall)) {
      const part = guarded ? await guarded.checked(produced) : produced;
      // The reply may have been stored in the meantime.
      if (signal.aborted) return;
      if (part.type === 'begin') this.begun = part;
      else if (part.type === 'text') this.show('text', stripped(links?.text, cited.add(part.text)));
      else if (part.type === 'reasoning') this.show('reasoning', stripped(links?.reasoning, part.text));
      else if (part.type === 'tool_call') this.calls = [...this.calls, part].slice(0, MAX_CALLS_OF_A_ROUND);
      else if (part.type === 'end') {
        ({ usage: this.reported, requestId: this.requestId } = part);
        this.stopReason = part.stopReason === 'tool_calls' ? 'end_turn' : part.stopReason;
        if (part.stopReason !== 'tool_calls') this.calls = [];
        hasEnded = true;
        break;
      }
      if (this.isFull) {
        this.stopReason = 'max_tokens';
        this.calls = [];
        hasEnded = true;
        break;
      }
      if (guarded && guarded.blockedBy !== null) {
        hasEnded = true;
        break;
      }
    }
    if (!hasEnded) throw new Error('the stream of the model ended too early');
    const rest = guarded?.end() ?? { text: '', reasoning: '' };
    this.show('reasoning', stripped(links?.reasoning, rest.reasoning));
    if (links) this.show('reasoning', links.reasoning.end());
    this.show('text', stripped(links?.text, cited.add(rest.text) + cited.end()));
    if (links) this.show('text', links.text.end());
    if (guarded && guarded.blockedBy !== null) this.endBlocked(guarded.blockedBy);
  }

  private endBlocked(policy: string): void {
    this.stopReason = 'content_filtered';
    this.calls = [];
    // An answer that is held back is replaced as a whole.
    if (!this.held) this.show('text', endedBy(policy, this.text !== ''));
  }

  /** The prompt as the model gets it. */
  private get sent(): Prompt {
    return this.guarded?.prompt ?? this.prompt;
  }

  get hasProduced(): boolean {
    return this.text !== '' || this.reasoning !== '' || this.calls.length > 0;
  }

  /** Whether the output is held back until it was checked. */
  get isHeld(): boolean {
    return this.held !== null;
  }

  /** The reasoning of this call. */
  get reasoning(): string {
    return this.held ? this.held.reasoning.toString() : this.live.reasoning.toString().slice(this.before.reasoning);
  }

  /** The text of this call, without the text that it continues. */
  get text(): string {
    return this.held ? this.held.text.toString() : this.live.text.toString().slice(this.before.text);
  }

  /** Shows the output that was held back: the checked text, and the reasoning if the whole answer may be shown. */
  release(text: string, { withReasoning }: { readonly withReasoning: boolean }): void {
    const { live, held } = this;
    if (held && withReasoning) live.reasoning.add(held.reasoning.toString());
    live.text.add(text);
    live.notifyReaders();
  }

  /** The usage reported by the model, or by the error that ended the call. Otherwise estimated. `window`: the window of the called model. */
  async usage(window: ModelWindow, failed: unknown = null): Promise<Usage> {
    const reported = this.reported ?? usageIn(failed);
    if (reported) return reported;
    const calls = this.calls.map(({ name, input }) => `${name}${JSON.stringify(input)}`);
    return estimatedUsage(this.sent, [this.text, this.reasoning, ...calls], window);
  }

  private show(kind: 'text' | 'reasoning', part: string): void {
    if (part === '') return;
    const { live } = this;
    const bytes = Buffer.byteLength(part);
    const shown = bytes <= this.bytesLeft ? part : firstBytes(part, this.bytesLeft);
    this.bytesLeft -= bytes;
    this.firstAt ??= performance.now();
    (this.held ?? live)[kind].add(shown);
    if (!this.held) live.notifyReaders();
    if (this.bytesLeft >= 0) return;
    // Held-back text still has to be checked, so the reply continues without the model.
    if (this.held) this.isFull = true;
    else live.stop('too_long');
  }
}

/** The calls that an error of the router names, including the last one. */
export function callsIn(error: unknown): readonly CallCharge[] {
  return (error instanceof Error && 'charges' in error && (error.charges as readonly CallCharge[])) || [];
}

/** The tokens that an error of a model names. Null if it names none. */
export function usageIn(error: unknown): Usage | null {
  return (error instanceof Error && 'usage' in error && (error.usage as Usage | null)) || null;
}

const stripped = (links: UncitedLinks | undefined, text: string): string => (links ? links.add(text) : text);

function firstBytes(text: string, most: number): string {
  // A character that is cut in the middle ends as U+FFFD.
  return Buffer.from(text)
    .subarray(0, Math.max(0, most))
    .toString()
    .replace(/\uFFFD$/, '');
}
