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
  type ProviderNetwork,
  type TranslatedModel,
  type WireAccess,
  wireAccessOf,
} from '@parlance/chat-models';

/** The longest answer, and the wait before it. */
const LONGEST_CALL_MILLIS = 20 * 60_000;

interface Connected {
  readonly settings: ModelProvider;
  readonly isGuarded: boolean;
  readonly http: ProviderHttp | null;
  readonly gate: ProviderGate;
  readonly access: WireAccess | null;
  /** Its models that were called in another format than its own. */
  readonly translating: WeakMap<ModelEntry, TranslatingProvider>;
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
  private readonly connected = new Map<string, Connected>();
  private readonly retired = new Map<Connected, NodeJS.Timeout>();
  /** The calls that this process may make at once, by provider. */
  readonly callsAtOnce: ReadonlyMap<string, number> = new Map();

  constructor(
    /** Records spans and metrics of calls. Null to record none. */
    private readonly calls: ModelCalls | null,
    /** The addresses of providers that administrators add. */
    private readonly network: ProviderNetwork,
  ) {}

  /**
   * Connects these providers, and disconnects others when their calls have ended. A provider with the same settings keeps its connections, its
   * breaker and its turns. `guarded`: the providers whose addresses are restricted.
   */
  use(providers: Readonly<Record<string, ModelProvider>>, guarded: ReadonlySet<string>): void {
    const wanted = new Map(Object.entries(providers).filter(([, settings]) => hasCredentials(settings)));
    for (const [name, connected] of this.connected) {
      const settings = wanted.get(name);
      if (settings && connected.isGuarded === guarded.has(name) && JSON.stringify(settings) === JSON.stringify(connected.settings))
        continue;
      this.connected.delete(name);
      this.retire(connected);
    }
    for (const [name, settings] of wanted)
      if (!this.connected.has(name)) this.connected.set(name, connect(name, settings, guarded.has(name) ? this.network : null));
    const callsAtOnce = this.callsAtOnce as Map<string, number>;
    callsAtOnce.clear();
    for (const [name, { settings }] of this.connected) callsAtOnce.set(name, settings.max_concurrent_calls);
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
    const connected = this.connected.get(entry.provider);
    const known = connected?.translating.get(entry);
    if (known || !connected) return known ?? null;
    const translated = openTranslatedModel(entry, connected.settings, connected.http);
    if (!translated) return null;
    const provider = { gate: connected.gate, translated };
    connected.translating.set(entry, provider);
    return provider;
  }

  /** The connection to a provider, for other requests than calls of models. Null for one without credentials, and for the offline model. */
  connectionTo(provider: string): { readonly settings: ModelProvider; readonly http: ProviderHttp } | null {
    const connected = this.connected.get(provider);
    return connected?.http ? { settings: connected.settings, http: connected.http } : null;
  }

  /** The gates of providers that are called over a network. */
  get gates(): readonly ProviderGate[] {
    return [...this.connected.values()].filter(({ http }) => http !== null).map(({ gate }) => gate);
  }

  gateOf(provider: string): ProviderGate | null {
    return this.connected.get(provider)?.gate ?? null;
  }

  /** Calls that have begun, or are about to begin, still use the gate and the connections. */
  private retire(connected: Connected): void {
    connected.http?.retire();
    const timer = setTimeout(() => {
      this.retired.delete(connected);
      connected.gate.close();
    }, LONGEST_CALL_MILLIS).unref();
    this.retired.set(connected, timer);
  }

  close(): void {
    for (const timer of this.retired.values()) clearTimeout(timer);
    for (const { gate, http } of [...this.connected.values(), ...this.retired.keys()]) {
      gate.close();
      http?.close();
    }
  }
}

function connect(name: string, settings: ModelProvider, network: ProviderNetwork | null): Connected {
  const url = baseUrlOf(settings);
  const limits = {
    atOnce: settings.max_concurrent_calls,
    turnMillis: settings.queue_timeout_seconds * 1_000,
    firstTokenMillis: settings.first_token_timeout_seconds * 1_000,
    nextTokenMillis: settings.token_timeout_seconds * 1_000,
  };
  const http = settings.type === 'local' || url === null ? null : new ProviderHttp(url, network);
  return {
    settings,
    isGuarded: network !== null,
    http,
    gate: new ProviderGate(name, limits),
    access: wireAccessOf(settings),
    translating: new WeakMap(),
  };
}
