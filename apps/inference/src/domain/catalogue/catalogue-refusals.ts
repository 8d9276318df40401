import { refuse } from '@parlance/decider';
import { MOST_MODELS, MOST_PROVIDERS, MOST_ROUTES } from './catalogue-limits.ts';

const MOST = { provider: MOST_PROVIDERS, model: MOST_MODELS, route: MOST_ROUTES } as const;
export type Kind = keyof typeof MOST;

export const notFound = (kind: Kind) => refuse('missing', `${kind}_not_found`, `There is no ${kind} with this ID. See the list.`);

/** The configuration names it, so only the operator can change it. */
export const readOnly = (kind: Kind) =>
  refuse('conflict', `${kind}_read_only`, `This ${kind} is in the configuration of the installation. It can only be changed there.`);

export const exists = (kind: Kind) => refuse('conflict', `${kind}_exists`, `There is already a ${kind} with this ID. Choose another one.`);

export const nameTaken = () =>
  refuse(
    'conflict',
    'model_name_taken',
    'A model or a route already has this ID. Programs name both in the same field. Choose another ID.',
  );

export const tooMany = (kind: Kind) =>
  refuse('conflict', `too_many_${kind}s`, `There are already ${MOST[kind]} ${kind}s besides those of the configuration. Remove one first.`);

export const providerInUse = (models: readonly string[]) =>
  refuse('conflict', 'provider_in_use', `Models of this provider exist: ${shown(models)}. Remove them first.`);

export const modelInUse = (by: readonly string[]) =>
  refuse('conflict', 'model_in_use', `The model is a target or a fallback of ${shown(by)}. Change or remove that first.`);

const MOST_SHOWN = 5;
const shown = (names: readonly string[]): string =>
  names.slice(0, MOST_SHOWN).join(', ') + (names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : '');

export const unknownReference = (path: string, kind: Kind, name: string) => {
  const detail = `The catalogue has no ${kind} ${name}.` as const;
  return refuse('invalid', `unknown_${kind}`, detail, { errors: [{ path, message: detail }] });
};

export const named = (path: string, name: string) => {
  const detail = `The model ${name} is named more than once.` as const;
  return refuse('invalid', 'model_named_twice', detail, { errors: [{ path, message: detail }] });
};

/** The stored credentials must not be sent to an address that someone else chose. */
export const credentialsNeeded = () =>
  refuse(
    'invalid',
    'credentials_needed',
    'A change of the type or the base URL needs the credentials again, because the stored ones are only for the present address.',
  );

export const stale = () =>
  refuse('stale', 'version_stale', 'The resource has changed since it was read. Read it again, then repeat the change.');
