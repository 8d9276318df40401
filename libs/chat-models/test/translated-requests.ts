import type { ModelSettings } from '../src/providers/open-chat-model.ts';
import { UntranslatableRequest } from '../src/dialects/requests/request-fields.ts';
import type { TranslatedFormat } from '../src/dialects/translation-target.ts';
import type { DialectName } from './provider-dialects.ts';
import { answerOf, translatedModel } from './translated-calls.ts';
import type { UnrulyProvider } from './unruly-provider.ts';

export const ALL_DIALECTS = ['openai', 'openai_compatible', 'anthropic', 'bedrock'] as const satisfies readonly DialectName[];

/** A request in the formats of OpenAI and Anthropic. */
export const question = { model: 'm', max_tokens: 4_000, messages: [{ role: 'user', content: 'Is it warm?' }] };
/** The parameters of a tool, or the form of an answer. */
export const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };

/** Requests in the format of another API, to models of this provider. */
export const translatedRequests = (provider: UnrulyProvider) => ({
  /** The body that the provider receives. */
  async sent(type: DialectName, format: TranslatedFormat, body: object, entry: Partial<ModelSettings> = {}) {
    await answerOf(translatedModel(type, provider.url, entry), format, body);
    return provider.calls.at(-1)!.body;
  },
  /** Code and path of the refusal. Null if the request is accepted. */
  refusal: (type: DialectName, format: TranslatedFormat, body: object, entry: Partial<ModelSettings> = {}) =>
    translatedModel(type, provider.url, entry)
      .translated(format, body)
      .then(() => null)
      .catch((error: unknown) => (error instanceof UntranslatableRequest ? [error.code, error.path] : error)),
});
