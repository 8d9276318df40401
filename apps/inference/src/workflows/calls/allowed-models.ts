import { Injectable } from '@nestjs/common';
import type { ModelEntry, ProviderType } from '@parlance/config';
import { type Refusal, refuse } from '@parlance/decider';
import type { Caller } from '@parlance/http';
import type { CallTerms } from '@parlance/observability';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';

/** A caller with a token that may call models. */
export interface ModelCaller {
  readonly userId: string;
  readonly tokenId: string;
  readonly groups: readonly string[];
  readonly terms: CallTerms;
}

/** The caller, if it may call models. Throws the refusal `models_token_needed` (forbidden). */
export function modelCaller({ userId, tokenId, groups, callTerms }: Caller): ModelCaller {
  if (tokenId === undefined || callTerms === undefined)
    throw refuse(
      'forbidden',
      'models_token_needed',
      'Calls of models need a personal access token with the scope models. Create one with POST /user/me/tokens.',
    );
  return { userId, tokenId, groups, terms: callTerms };
}

/** A model that a caller may call. */
export interface AllowedModel {
  readonly entry: ModelEntry;
  readonly type: ProviderType;
}

/** The models that tokens may call. */
@Injectable()
export class AllowedModels {
  constructor(private readonly catalogue: Catalogue) {}

  /** Throws the refusal `model_not_found` (missing), also for a model that the token does not allow. */
  require({ terms }: ModelCaller, id: string): AllowedModel {
    const entry = allows(terms, id) ? this.catalogue.callable.get(id) : undefined;
    const type = entry ? this.catalogue.providerTypeOf(id) : null;
    if (!entry || !type) throw notFound(id);
    return { entry, type };
  }

  /** The models that tokens without terms may call. */
  get all(): readonly AllowedModel[] {
    return [...this.catalogue.callable.values()].flatMap((entry) => {
      const type = this.catalogue.providerTypeOf(entry.id);
      return type ? [{ entry, type }] : [];
    });
  }

  of({ terms }: ModelCaller): readonly ModelEntry[] {
    return [...this.catalogue.callable.values()].filter(({ id }) => allows(terms, id));
  }
}

const allows = ({ models }: CallTerms, id: string): boolean =>
  models.length === 0 || models.some((name) => (name.endsWith('*') ? id.startsWith(name.slice(0, -1)) : name === id));

const notFound = (id: string): Refusal =>
  refuse('missing', 'model_not_found', `There is no model ${id} that this token may call. See GET /v1/models.`);
