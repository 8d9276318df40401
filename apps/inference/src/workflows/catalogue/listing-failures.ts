import type { Sentence } from '@parlance/decider';
import type { CheckFailure } from '../checks/check-failures.ts';

export type { CheckFailure };

const failure = (code: CheckFailure['code'], message: Sentence): CheckFailure & { readonly message: Sentence } => ({ code, message });

/** Failures after which the same request may succeed later. */
export const PASSING: ReadonlySet<CheckFailure['code']> = new Set(['not_reached', 'provider_failed', 'provider_busy', 'timed_out']);

export const notListed = (provider: string) =>
  failure('models_not_listed', `The provider ${provider} does not list its models. Add one by its name, and check that model.`);

export const noCredentials = (provider: string) =>
  failure('no_credentials', `The provider ${provider} has no credentials. Add them, or for Amazon Bedrock its region too.`);

const BY_ERROR: Readonly<Record<string, (provider: string) => CheckFailure>> = {
  FetchRefused: (provider) =>
    failure(
      'address_forbidden',
      `The base URL of the provider ${provider} leads to an address that is not allowed here. The operator can allow private ranges with fetchAllowedPrivateRanges.`,
    ),
  Redirected: (provider) =>
    failure('address_redirects', `The base URL of the provider ${provider} redirects. Set it to the address behind it.`),
  SyntaxError: (provider) => unreadable(provider),
  NotAList: (provider) => unreadable(provider),
};

const unreadable = (provider: string) =>
  failure('answer_invalid', `The provider ${provider} did not answer with a list of models. Check its type and its base URL.`);

/** `cause`: a status from 400, or an error. Leaves out the provider's text, which can contain keys or host names. */
export function failedListing(provider: string, cause: unknown, hasTimedOut = false): CheckFailure {
  if (hasTimedOut) return failure('timed_out', `The provider ${provider} did not answer within 15 seconds. Check its base URL.`);
  if (typeof cause !== 'number') {
    const { name, code } = cause as { name?: string; code?: string };
    const known = code === 'host_unknown' ? undefined : BY_ERROR[name ?? ''];
    if (known) return known(provider);
    return failure('not_reached', `The provider ${provider} cannot be reached. Check its base URL, and the network.`);
  }
  switch (cause) {
    case 401:
    case 403:
      return failure('key_refused', `The provider ${provider} refuses the credentials. It answered ${cause}.`);
    case 404:
    case 405:
      return notListed(provider);
    case 408:
    case 429:
    case 529:
      return failure('provider_busy', `The provider ${provider} is busy, or a limit of the account is reached. It answered ${cause}.`);
    default:
      return cause >= 500
        ? failure('provider_failed', `The provider ${provider} has failed. It answered ${cause}. Check again later.`)
        : failure('request_refused', `The provider ${provider} refuses to list its models. It answered ${cause}.`);
  }
}
