import { Injectable } from '@nestjs/common';
import type { ModelEntry, ModelRoute, ProviderType } from '@parlance/config';
import { tokenIdOfSessions } from '@parlance/contracts';
import { type Refusal, refuse } from '@parlance/decider';
import type { Caller } from '@parlance/http';
import { allowsModel, type CallTerms } from '@parlance/observability';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';

/** A caller that may call models: a token, or for some endpoints a user with a session. */
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

export const NO_TERMS: CallTerms = {
  models: [],
  requests_per_minute: null,
  tokens_per_minute: null,
  max_parallel_requests: null,
  cost_centre: null,
  tags: {},
};

/** As `modelCaller`, but also for a user with a session: people speak and listen without a token. */
export function speechCaller(caller: Caller): ModelCaller {
  const { userId, groups, sessionId } = caller;
  return sessionId === null ? modelCaller(caller) : { userId, tokenId: tokenIdOfSessions(userId), groups, terms: NO_TERMS };
}

/** A model that a caller may call. */
export interface AllowedModel {
  readonly entry: ModelEntry;
  readonly type: ProviderType;
}

/** What a caller names: a model, or a route with its models. */
export interface CalledModel {
  readonly id: string;
  /** A provider, or Parlance for a route. */
  readonly owner: string;
  readonly route: ModelRoute | null;
  readonly targets: readonly AllowedModel[];
  readonly fallbacks: readonly AllowedModel[];
}

const OWNER_OF_ROUTES = 'parlance';

/** The models and routes that tokens may call. */
@Injectable()
export class AllowedModels {
  constructor(private readonly catalogue: Catalogue) {}

  /** Throws the refusal `model_not_found` (missing), also for a model that the token does not allow. A token that allows a route may use all of its models through it. */
  require({ terms }: ModelCaller, id: string): CalledModel {
    const called = allowsModel(terms, id) ? this.called(id) : null;
    if (!called) throw notFound(id);
    return called;
  }

  /** The models that tokens without terms may call. */
  get all(): readonly AllowedModel[] {
    return [...this.catalogue.callable.keys()].flatMap((id) => this.model(id) ?? []);
  }

  of({ terms }: ModelCaller): readonly CalledModel[] {
    const ids = [...this.catalogue.routes.keys(), ...this.catalogue.callable.keys()];
    return ids.filter((id) => allowsModel(terms, id)).flatMap((id) => this.called(id) ?? []);
  }

  /** Null for an unknown model, and for a route without a model that can be called. */
  private called(id: string): CalledModel | null {
    const route = this.catalogue.routes.get(id);
    if (!route) {
      const model = this.model(id);
      return model && { id, owner: model.entry.provider, route: null, targets: [model], fallbacks: [] };
    }
    const of = (ids: readonly string[]) => ids.flatMap((each) => this.model(each) ?? []);
    const targets = of(route.targets.map(({ model }) => model));
    const fallbacks = of(route.fallbacks);
    return targets.length + fallbacks.length === 0 ? null : { id, owner: OWNER_OF_ROUTES, route, targets, fallbacks };
  }

  private model(id: string): AllowedModel | null {
    const entry = this.catalogue.callable.get(id);
    const type = this.catalogue.providerTypeOf(id);
    return entry && type ? { entry, type } : null;
  }
}

const notFound = (id: string): Refusal =>
  refuse('missing', 'model_not_found', `There is no model ${id} that this token may call. See GET /v1/models.`);
