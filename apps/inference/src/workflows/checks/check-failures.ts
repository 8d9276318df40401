import type { FailureCode, GenerationFailed } from '@parlance/chat-models';
import type { ModelEntry } from '@parlance/config';

/** Why a checked model does not work, as shown to administrators. */
export interface CheckFailure {
  readonly code: Code;
  readonly message: string;
}

/** All codes, for the OpenAPI description. */
export const CHECK_FAILURES = [
  'no_credentials',
  'not_for_chat',
  'key_refused',
  'model_unknown',
  'address_redirects',
  'not_reached',
  'provider_failed',
  'provider_busy',
  'provider_paused',
  'timed_out',
  'request_refused',
  'answer_invalid',
  'address_forbidden',
  'models_not_listed',
] as const;

type Code = (typeof CHECK_FAILURES)[number];

const failure = (code: Code, message: string): CheckFailure => ({ code, message });

/** Where the settings of a provider are changed. */
export interface SettingsPlace {
  readonly isManaged: boolean;
}

const settingsOf = (provider: string, { isManaged }: SettingsPlace): string =>
  isManaged ? `/admin/providers/${provider}` : `models.providers.${provider}`;

export const NO_CREDENTIALS = ({ provider }: ModelEntry, place: SettingsPlace): CheckFailure =>
  failure(
    'no_credentials',
    place.isManaged
      ? `The provider ${provider} has no credentials. Set them with PATCH ${settingsOf(provider, place)}.`
      : `The provider ${provider} has no credentials. Set them under ${settingsOf(provider, place)} in the configuration, and start Parlance again.`,
  );

export const NOT_FOR_CHAT = ({ id }: ModelEntry): CheckFailure =>
  failure(
    'not_for_chat',
    `The model ${id} cannot chat. Check an embedding model with a search in the knowledge of a bot, and others with a call.`,
  );

const UNAUTHORIZED = new Set([401, 403]);
const NOT_FOUND = 404;

/** Names the setting to correct. Leaves out the provider's text, which can contain keys or host names. */
export function failureOf(
  { code, status }: GenerationFailed,
  entry: ModelEntry,
  longestMillis: number,
  place: SettingsPlace,
): CheckFailure {
  const { provider } = entry;
  const settings = settingsOf(provider, place);
  const answered = status === null ? '' : ` It answered ${status}.`;
  const byCode: Readonly<Record<FailureCode, () => CheckFailure>> = {
    provider_misconfigured: () => misconfigured(status, entry, settings),
    provider_unavailable: () =>
      status === null
        ? failure('not_reached', `The provider ${provider} cannot be reached. Check base_url or region of ${settings}, and the network.`)
        : failure(
            'provider_failed',
            `The provider ${provider} has failed.${answered} Check its status page, and check the model again later.`,
          ),
    provider_busy: () =>
      failure(
        'provider_busy',
        `The provider ${provider} is overloaded, or the limit of its account is reached.${answered} Check the account.`,
      ),
    queue_timed_out: () =>
      failure('provider_busy', `Too many calls wait for the provider ${provider}. Check again later, or raise max_concurrent_calls.`),
    provider_paused: () =>
      failure(
        'provider_paused',
        `The last calls to the provider ${provider} failed, so it is not called for a few seconds. Check again then.`,
      ),
    provider_timed_out: () =>
      failure(
        'timed_out',
        `The model did not answer within ${longestMillis / 1_000} seconds. Check base_url of ${settings}, and its server.`,
      ),
    request_refused: () =>
      failure('request_refused', `The provider ${provider} refuses the request.${answered} Check the name and the limits of the model.`),
    answer_invalid: () => unreadable(entry, settings),
    stream_broken: () => unreadable(entry, settings),
  };
  return byCode[code]();
}

function misconfigured(status: number | null, { provider, model }: ModelEntry, settings: string): CheckFailure {
  if (status !== null && UNAUTHORIZED.has(status))
    return failure(
      'key_refused',
      `The provider ${provider} refuses the credentials. It answered ${status}. Correct them under ${settings}.`,
    );
  if (status === NOT_FOUND)
    return failure(
      'model_unknown',
      `The provider ${provider} does not know the model ${model}. It answered ${status}. Correct the name of the model, or base_url of ${settings}.`,
    );
  return failure(
    'address_redirects',
    `The address of the provider ${provider} redirects to another address. Set base_url of ${settings} to that address.`,
  );
}

const unreadable = ({ provider }: ModelEntry, settings: string): CheckFailure =>
  failure('answer_invalid', `The answer of the provider ${provider} cannot be read. Check its type and its base_url in ${settings}.`);
