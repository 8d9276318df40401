import { Injectable } from '@nestjs/common';
import { BUILTIN_MODELS, type ModelEntry } from '@parlance/config';
import { refuse, type Sentence } from '@parlance/decider';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { notFound } from '../../domain/catalogue/catalogue-refusals.ts';
import { ModelChecks } from '../checks/model-checks.ts';
import { type CheckFailure, noCredentials, PASSING } from './listing-failures.ts';
import { type Listing, type ProviderModel, ProviderModels } from './provider-models.ts';

export interface CheckedProvider {
  readonly latencyMillis: number | null;
  /** Null if the credentials work. */
  readonly failure: CheckFailure | null;
}

export interface AvailableModel extends ProviderModel {
  /** The models of the catalogue that are this model of this provider. */
  readonly ids: readonly string[];
  /** The built-in entry of the same model, with list prices. */
  readonly known: ModelEntry | null;
}

/** Checks the credentials of providers, and lists the models that they offer. */
@Injectable()
export class ProviderChecks {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly models: ProviderModels,
    private readonly checks: ModelChecks,
  ) {}

  /**
   * Reads the provider's list of models, which is free. If the provider has none, checks one of its models, which is charged to the user. Throws
   * `provider_not_found` (missing).
   */
  async check(id: string, userId: string): Promise<CheckedProvider> {
    if (this.typeOf(id) === 'local') return { latencyMillis: null, failure: null };
    const listing = await this.listed(id);
    if (!('failure' in listing)) return { latencyMillis: listing.latencyMillis, failure: null };
    const model = [...this.catalogue.entries.values()].find((entry) => entry.provider === id && this.catalogue.isForChat(entry));
    if (listing.failure.code !== 'models_not_listed' || !model) return listing;
    return this.checks.check(model.id, userId);
  }

  /** Throws `provider_not_found` (missing), `models_not_listed` (conflict) and `provider_unavailable` (unavailable). */
  async availableModels(id: string): Promise<{ readonly models: readonly AvailableModel[]; readonly isComplete: boolean }> {
    const type = this.typeOf(id);
    const listing = await this.listed(id);
    if ('failure' in listing) {
      const { code, message } = listing.failure;
      const isPassing = PASSING.has(code);
      throw refuse(isPassing ? 'unavailable' : 'conflict', isPassing ? 'provider_unavailable' : 'models_not_listed', message as Sentence);
    }
    const entries = [...this.catalogue.entries.values()].filter(({ provider }) => provider === id);
    const models = listing.models.map((model) => ({
      ...model,
      ids: entries.filter((entry) => entry.model === model.model).map((entry) => entry.id),
      known: BUILTIN_MODELS.find((known) => known.provider === type && known.model === model.model) ?? null,
    }));
    return { models, isComplete: listing.isComplete };
  }

  private async listed(id: string): Promise<Listing> {
    const connection = this.catalogue.providers.connectionTo(id);
    return connection ? this.models.list(id, connection) : { failure: noCredentials(id), latencyMillis: null };
  }

  private typeOf(id: string) {
    const { providers } = this.catalogue.whole;
    if (!Object.hasOwn(providers, id)) throw notFound('provider');
    return providers[id]!.type;
  }
}
