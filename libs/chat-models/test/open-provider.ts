import { type ChatModel, type ModelSettings, openChatModel, ProviderHttp, type ProviderSettings } from '../src/index.ts';
import type { DialectName } from './provider-dialects.ts';

/** Models whose parameters the SDK passes on. Newer ones do not accept a temperature. */
export const MODELS: Readonly<Record<DialectName, string>> = {
  openai: 'gpt-4.1',
  openai_compatible: 'm',
  anthropic: 'claude-haiku-4-5',
  bedrock: 'anthropic.claude-haiku-4-5-20251001-v1:0',
};

/** A provider's model with this base URL. */
export function openProvider(
  type: DialectName,
  url: string,
  entry: Partial<ModelSettings> = {},
  settings: Partial<ProviderSettings> = {},
): ChatModel {
  const keys = { api_key: 'sk-secret', region: 'us-east-1', access_key_id: null, secret_access_key: null };
  const model = { model: MODELS[type], max_output_tokens: null, context_window: 128_000, capabilities: ['vision'], ...entry };
  return openChatModel(model, { type, base_url: url, ...keys, ...settings }, new ProviderHttp(url));
}
