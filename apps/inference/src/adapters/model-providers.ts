import type { ModelEntry, ModelProvider } from '@parlance/config';
import type { ModelCalls } from '@parlance/observability';
import { calledModel, ObservedChat } from './observed-chat.ts';
import {
  baseUrlOf,
  type ChatModel,
  hasCredentials,
  openChatModel,
  openTranslatedModel,
  ProviderGate,
  ProviderHttp,
  type TranslatedModel,
  type WireAccess,
  wireAccessOf,
} from '@parlance/chat-models';

interface Connected {
  readonly settings: ModelProvider;
  readonly http: ProviderHttp | null;
  readonly gate: ProviderGate;
  readonly access: WireAccess | null;
}

/** A provider that is sent the requests of callers as they are. */
export interface PassingProvider {
  readonly http: ProviderHttp;
  readonly access: WireAccess;
  readonly gate: ProviderGate;
}

/** A model that is sent requests in the format of another API than its own. */
export interface TranslatingProvider {
  readonly gate: ProviderGate;
  readonly translated: TranslatedModel;
}

/** How a model is called. */
export type CallProvider = PassingProvider | TranslatingProvider;

interface Opened {
  readonly chat: ChatModel;
  readonly provider: ProviderGate;
  readonly isLocal: boolean;
}

/** The providers of the catalogue that have credentials. Each has its own connections, circuit breaker and turns. */
export class ModelProviders {
  private readonly connected: ReadonlyMap<string, Connected>;
  private readonly translating = new WeakMap<ModelEntry, TranslatingProvider>();

  constructor(
    providers: Readonly<Record<string, ModelProvider>>,
    /** Records spans and metrics of calls. Null to record none. */
    private readonly calls: ModelCalls | null = null,
  ) {
    const all = Object.entries(providers).filter(([, settings]) => hasCredentials(settings));
    this.connected = new Map(all.map(([name, settings]) => [name, connect(name, settings)]));
  }

  has(provider: string): boolean {
    return this.connected.has(provider);
  }

  /** Null for a provider without credentials. */
  open(entry: ModelEntry): Opened | null {
    const connected = this.connected.get(entry.provider);
    if (!connected) return null;
    const { settings, http, gate } = connected;
    const chat = openChatModel(entry, settings, http);
    const isLocal = http === null;
    const observed = this.calls && !isLocal ? new ObservedChat(chat, calledModel(entry, settings), this.calls) : chat;
    return { chat: observed, provider: gate, isLocal };
  }

  /** Null for a provider without credentials, and for one that accepts only requests of its own format. */
  passingTo(provider: string): PassingProvider | null {
    const connected = this.connected.get(provider);
    return connected?.http && connected.access ? { http: connected.http, access: connected.access, gate: connected.gate } : null;
  }

  /** Null for a provider without credentials, and for the offline model. */
  translatingTo(entry: ModelEntry): TranslatingProvider | null {
    const known = this.translating.get(entry);
    const connected = this.connected.get(entry.provider);
    if (known || !connected) return known ?? null;
    const translated = openTranslatedModel(entry, connected.settings, connected.http);
    if (!translated) return null;
    const provider = { gate: connected.gate, translated };
    this.translating.set(entry, provider);
    return provider;
  }

  /** The calls that this process may make at once, by provider. */
  get callsAtOnce(): ReadonlyMap<string, number> {
    return new Map([...this.connected].map(([name, { settings }]) => [name, settings.max_concurrent_calls]));
  }

  /** The gates of providers that are called over a network. */
  get gates(): readonly ProviderGate[] {
    return [...this.connected.values()].filter(({ http }) => http !== null).map(({ gate }) => gate);
  }

  close(): void {
    for (const { gate, http } of this.connected.values()) {
      gate.close();
      http?.close();
    }
  }
}

function connect(name: string, settings: ModelProvider): Connected {
  const url = baseUrlOf(settings);
  const limits = {
    atOnce: settings.max_concurrent_calls,
    turnMillis: settings.queue_timeout_seconds * 1_000,
    firstTokenMillis: settings.first_token_timeout_seconds * 1_000,
    nextTokenMillis: settings.token_timeout_seconds * 1_000,
  };
  const http = settings.type === 'local' || url === null ? null : new ProviderHttp(url);
  return { settings, http, gate: new ProviderGate(name, limits), access: wireAccessOf(settings) };
}
