import { promptOf } from './collected.ts';
import { openProvider } from './open-provider.ts';
import { type Behaviour, UnrulyProvider } from './unruly-provider.ts';
import { GenerationFailed } from '../src/providers/generation-failed.ts';
import { type Asker, type Begin, ModelRouter, type Routed } from '../src/router/model-router.ts';
import { type GateLimits, ProviderGate } from '../src/router/provider-gate.ts';

export const hello: Behaviour = { does: 'answer', text: ['Hel', 'lo'], usage: { input: 10, output: 2 } };
export const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
export const LIMITS: GateLimits = { atOnce: 100, firstTokenMillis: 30_000, nextTokenMillis: 30_000 };

export interface Answer {
  readonly begin: Begin | null;
  readonly text: string;
  readonly last: Routed | null;
  readonly error: GenerationFailed | Error | null;
}

export async function collected(answer: AsyncIterable<Routed>): Promise<Answer> {
  let [begin, last, text]: [Begin | null, Routed | null, string] = [null, null, ''];
  try {
    for await (const part of answer) {
      last = part;
      if (part.type === 'begin') begin = part;
      if (part.type === 'text') text += part.text;
    }
  } catch (error) {
    return { begin, text, last, error: error as Error };
  }
  return { begin, text, last, error: null };
}

export const refuse = (status: number, retryAfter?: string): Behaviour => ({
  does: 'refuse',
  status,
  ...(retryAfter !== undefined && { retryAfter }),
});

interface Routing {
  readonly fallbacks?: string[];
  readonly limits?: Partial<GateLimits>;
  readonly tryAgainMillis?: number;
  /** Pauses between calls as in production. */
  readonly pauses?: boolean;
}

/** Two providers, each with a model, and routers that call them. */
export class RoutedProviders {
  first!: UnrulyProvider;
  second!: UnrulyProvider;
  readonly gates: ProviderGate[] = [];
  /** How long routers would have paused between calls. They do not pause here. */
  readonly pauses: number[] = [];

  async open(): Promise<void> {
    this.pauses.length = 0;
    [this.first, this.second] = [await UnrulyProvider.open(), await UnrulyProvider.open()];
    for (const provider of [this.first, this.second]) provider.behave = () => hello;
  }

  async close(): Promise<void> {
    for (const gate of this.gates.splice(0)) gate.close();
    await this.first.close();
    await this.second.close();
  }

  /** The first model has these fallbacks. */
  routing({ fallbacks = [], limits = {}, tryAgainMillis, pauses = false }: Routing = {}) {
    const entries = [
      ['one', this.first, fallbacks],
      ['two', this.second, []],
    ] as const;
    const models = entries.map(([id, { url }, others]) => {
      const provider = new ProviderGate(`provider-${id}`, { ...LIMITS, ...limits }, tryAgainMillis);
      this.gates.push(provider);
      return [id, { id, provider, providerModel: `model-${id}`, chat: openProvider('openai_compatible', url), fallbacks: others }] as const;
    });
    const router = new ModelRouter(new Map(models), pauses ? undefined : async (millis) => void this.pauses.push(millis));
    const ask = (more: Partial<Asker> = {}, model = 'one') =>
      collected(router.generate(model, promptOf(), { userId: 'ann', signal: new AbortController().signal, ...more }));
    return { ask, gate: models[0]![1].provider, router };
  }

  /** The first provider behaves like this for its first calls, then answers normally. */
  firstly(...behaviours: Behaviour[]): void {
    this.first.behave = () => behaviours.shift() ?? hello;
  }
}
