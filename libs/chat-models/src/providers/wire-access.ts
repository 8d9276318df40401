import { baseUrlOf, hasCredentials, type ProviderSettings } from './open-chat-model.ts';

/** The request and answer format of a provider's API. */
export type WireDialect = 'openai' | 'anthropic';

/** How requests in a provider's own format are sent to it. */
export interface WireAccess {
  readonly dialect: WireDialect;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The credentials. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The version of Anthropic's API for callers that name none. */
const ANTHROPIC_VERSION = '2023-06-01';

/** Null for a provider without credentials, and for one whose API has neither format. */
export function wireAccessOf(provider: ProviderSettings): WireAccess | null {
  const baseUrl = baseUrlOf(provider);
  if (baseUrl === null || !hasCredentials(provider)) return null;
  const { type, api_key: key } = provider;
  switch (type) {
    case 'openai':
    case 'openai_compatible':
      return { dialect: 'openai', baseUrl, headers: key === null ? {} : { authorization: `Bearer ${key}` } };
    case 'anthropic':
      return { dialect: 'anthropic', baseUrl, headers: { 'x-api-key': key ?? '', 'anthropic-version': ANTHROPIC_VERSION } };
    case 'bedrock':
    case 'local':
      return null;
  }
}
