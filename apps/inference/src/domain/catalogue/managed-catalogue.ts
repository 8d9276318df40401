/** All types of the configuration except `local`. */
export type ManagedProviderType = 'bedrock' | 'anthropic' | 'openai' | 'openai_compatible';

type RouteStrategy = 'weighted' | 'fastest' | 'least_busy' | 'cheapest';

export interface ProviderTerms {
  readonly type: ManagedProviderType;
  /** Null for the default address of the type. */
  readonly baseUrl: string | null;
  readonly region: string | null;
  readonly maxConcurrentCalls: number;
  readonly queueTimeoutSeconds: number;
  readonly firstTokenTimeoutSeconds: number;
  readonly tokenTimeoutSeconds: number;
}

export interface SealedCredentials {
  /** Names the key that seals them. Every change of credentials has its own key. */
  readonly credentialsId: string;
  readonly kind: 'api_key' | 'access_key';
  readonly sealed: string;
}

export interface ModelTerms {
  readonly provider: string;
  /** The provider's name of the model. */
  readonly model: string;
  readonly name: string | null;
  readonly contextWindow: number;
  readonly maxOutputTokens: number | null;
  readonly capabilities: readonly string[];
  readonly fallbacks: readonly string[];
}

export interface RouteTerms {
  readonly strategy: RouteStrategy;
  readonly targets: readonly { readonly model: string; readonly weight: number }[];
  readonly fallbacks: readonly string[];
  readonly retries: number;
  readonly timeoutSeconds: number | null;
}

/** The names that the configuration of this installation and the built-in catalogue have. */
export interface ConfiguredNames {
  readonly providers: readonly string[];
  readonly models: readonly string[];
  readonly routes: readonly string[];
  /** An administrator can replace these, as the configuration can. */
  readonly builtIn: { readonly providers: readonly string[]; readonly models: readonly string[] };
}

interface About {
  readonly id: string;
  readonly configured: ConfiguredNames;
}
interface AboutPresent extends About {
  /** What is changed must still have this version. */
  readonly ifVersion?: number | undefined;
}

export type ProviderCommand =
  | ({ type: 'AddProvider'; terms: ProviderTerms; credentials: SealedCredentials | null } & About)
  /** Without `credentials` they stay as they are. */
  | ({ type: 'ChangeProvider'; changes: Partial<ProviderTerms>; credentials?: SealedCredentials } & AboutPresent)
  | ({ type: 'RemoveProvider' } & AboutPresent);
export type ModelCommand =
  | ({ type: 'AddModel'; terms: ModelTerms } & About)
  | ({ type: 'ChangeModel'; changes: Partial<ModelTerms> } & AboutPresent)
  | ({ type: 'RemoveModel' } & AboutPresent);
export type RouteCommand =
  | ({ type: 'AddRoute'; terms: RouteTerms } & About)
  | ({ type: 'ChangeRoute'; changes: Partial<RouteTerms> } & AboutPresent)
  | ({ type: 'RemoveRoute' } & AboutPresent);
export type CatalogueCommand = ProviderCommand | ModelCommand | RouteCommand;

/** A changed event has all terms, including unchanged ones. */
export type CatalogueEvent =
  | { type: 'ModelProviderAdded'; id: string; terms: ProviderTerms; credentials: SealedCredentials | null }
  /** Without `credentials` they stay as they are. `replaced`: the ID of the credentials that no longer apply. */
  | { type: 'ModelProviderChanged'; id: string; terms: ProviderTerms; credentials?: SealedCredentials; replaced?: string }
  | { type: 'ModelProviderRemoved'; id: string; replaced?: string }
  | { type: 'ModelAdded'; id: string; terms: ModelTerms }
  | { type: 'ModelChanged'; id: string; terms: ModelTerms }
  | { type: 'ModelRemoved'; id: string }
  | { type: 'ModelRouteAdded'; id: string; terms: RouteTerms }
  | { type: 'ModelRouteChanged'; id: string; terms: RouteTerms }
  | { type: 'ModelRouteRemoved'; id: string };

interface Versioned {
  /** The ETag: the number of changes of the catalogue when this was last changed. */
  readonly version: number;
}
export interface ManagedProvider extends ProviderTerms, Versioned {
  readonly credentials: SealedCredentials | null;
}
export interface ManagedModel extends ModelTerms, Versioned {}
export interface ManagedRoute extends RouteTerms, Versioned {}

/** What administrators have added to the catalogue, by ID, in the order of addition. */
export interface ManagedCatalogue {
  readonly providers: Readonly<Record<string, ManagedProvider>>;
  readonly models: Readonly<Record<string, ManagedModel>>;
  readonly routes: Readonly<Record<string, ManagedRoute>>;
  readonly changes: number;
}

export const NOTHING_MANAGED: ManagedCatalogue = { providers: {}, models: {}, routes: {}, changes: 0 };
