import {
  type AnswerForm,
  openTranslatedModel,
  ProviderHttp,
  type ModelSettings,
  type ProviderSettings,
  TranslatedAnswer,
  type TranslatedModel,
} from '../src/index.ts';
import { MODELS } from './open-provider.ts';
import type { DialectName } from './provider-dialects.ts';

const keys = { api_key: 'sk-secret', region: 'us-east-1', access_key_id: null, secret_access_key: null };

/** A model of a provider with this base URL, for requests in the format of another API. */
export function translatedModel(
  type: DialectName,
  url: string,
  entry: Partial<ModelSettings> = {},
  settings: Partial<ProviderSettings> = {},
): TranslatedModel {
  const model = { model: MODELS[type], max_output_tokens: null, context_window: 128_000, capabilities: ['reasoning'], ...entry };
  return openTranslatedModel(model, { type, base_url: url, ...keys, ...settings }, new ProviderHttp(url))!;
}

/** The bytes of the answer to a request. */
export async function answerOf(model: TranslatedModel, format: AnswerForm['format'], body: object, isStreamed = false): Promise<string> {
  const request = await model.translated(format, body);
  const { parts } = await model.send(request, new AbortController().signal);
  const answer = new TranslatedAnswer(parts, { format, isStreamed, id: '1', model: 'm', created: 0 });
  await answer.begin();
  const written: Buffer[] = [];
  for await (const piece of answer.bytes(() => undefined)) written.push(piece);
  return Buffer.concat(written).toString();
}
