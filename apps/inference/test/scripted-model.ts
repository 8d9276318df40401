import { jest } from '@jest/globals';
import { LocalExtractive, type Produced, type Prompt, type StopReason } from '@parlance/chat-models';
import { waitFor } from '@parlance/testing';

const usage = { inputTokens: 7, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };

/** One call to the model. The test determines the output. */
export class ScriptedCall {
  private readonly parts: Produced[] = [];
  private failure: Error | null = null;
  private wake = () => undefined as void;

  constructor(
    readonly prompt: Prompt,
    readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.fail(signal.reason as Error));
  }

  say(...texts: string[]): this {
    return this.produce(...texts.map((text) => ({ type: 'text', text }) as const));
  }

  reason(text: string): this {
    return this.produce({ type: 'reasoning', text });
  }

  /** Calls a tool. */
  use(name: string, input: Readonly<Record<string, unknown>>, fault: string | null = null): this {
    return this.produce({ type: 'tool_call', callId: 'call_0', name, input, fault });
  }

  /** Ends, and waits for the results of the calls. */
  await(): this {
    return this.produce({ type: 'end', stopReason: 'tool_calls', usage, requestId: null });
  }

  end(): this {
    return this.produce({ type: 'end', stopReason: 'end_turn', usage, requestId: null });
  }

  /** Ends for another reason. */
  stopAt(stopReason: StopReason): this {
    return this.produce({ type: 'end', stopReason, usage, requestId: null });
  }

  fail(error: Error): void {
    this.failure ??= error;
    this.wake();
  }

  async *produced(): AsyncGenerator<Produced> {
    for (;;) {
      while (this.parts.length > 0) yield this.parts.shift()!;
      if (this.failure) throw this.failure;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private produce(...parts: Produced[]): this {
    this.parts.push(...parts);
    this.wake();
    return this;
  }
}

/** Stands in for the offline model, so that a test determines the output and its timing. */
export class ScriptedModel {
  readonly calls: ScriptedCall[] = [];

  enter(): void {
    jest.spyOn(LocalExtractive.prototype, 'generate').mockImplementation((prompt, signal) => {
      const call = new ScriptedCall(prompt, signal);
      this.calls.push(call);
      return call.produced();
    });
  }

  /** The latest call for the message with this text, after this many rounds of tool calls. */
  async call(question: string, rounds = 0): Promise<ScriptedCall> {
    await waitFor(() => this.made(question, rounds), { what: `the model to be asked ${question}` });
    return this.made(question, rounds)!;
  }

  /** As `call`, but does not wait. */
  made(question: string, rounds: number): ScriptedCall | undefined {
    const isOf = ({ turns }: Prompt) =>
      turns.findLast(({ role }) => role === 'user')?.text === question && turns.filter(({ role }) => role === 'tool').length === rounds;
    return this.calls.findLast(({ prompt }) => isOf(prompt));
  }
}
