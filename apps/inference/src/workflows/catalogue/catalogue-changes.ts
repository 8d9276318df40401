import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Refusal, refuse, type Sentence } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { FetchRefused } from '@parlance/guarded-fetch';
import { requireMatch } from '@parlance/http';
import { type Seal, Vault } from '@parlance/privacy';
import type { Credentials } from '../../adapters/catalogue/managed-parts.ts';
import { configuredNames } from '../../adapters/catalogue/merged-catalogue.ts';
import { providerNetwork, requirePossible } from '../../adapters/provider-network.ts';
import { ExecuteCatalogue, ExecuteModelPrices } from '../../commands/aggregates.ts';
import { catalogue } from '../../domain/catalogue/catalogue.ts';
import type {
  CatalogueCommand,
  ConfiguredNames,
  ManagedCatalogue,
  ModelTerms,
  ProviderTerms,
  RouteTerms,
  SealedCredentials,
} from '../../domain/catalogue/managed-catalogue.ts';
import type { Price } from '../../domain/model-prices.ts';
import { CatalogueReader } from './catalogue-reader.ts';

const credentialsSubject = (credentialsId: string) => ({ id: `model-provider-credentials:${credentialsId}` });

/** Changes the catalogue for administrators. When a method resolves, this process uses the change. Each throws the refusals of the decider. */
@Injectable()
export class CatalogueChanges {
  private readonly configured: ConfiguredNames;
  private readonly network;
  private adding: Promise<void> = Promise.resolve();

  constructor(
    { models, fetchAllowedPrivateRanges }: Config,
    private readonly commands: CommandBus,
    private readonly vault: Vault,
    private readonly reader: CatalogueReader,
  ) {
    this.configured = configuredNames(models);
    this.network = providerNetwork(fetchAllowedPrivateRanges);
  }

  async addProvider(id: string, terms: ProviderTerms, credentials: Partial<Credentials> | null): Promise<void> {
    this.requirePossible(terms.baseUrl);
    await this.sealing(credentials, (sealed, companions) =>
      this.execute({ type: 'AddProvider', id, terms, credentials: sealed, configured: this.configured }, companions),
    );
  }

  /** Throws `version_stale` (stale) too. */
  async changeProvider(
    id: string,
    changes: Partial<ProviderTerms>,
    credentials: Partial<Credentials> | null,
    ifMatch?: string,
  ): Promise<void> {
    if (changes.baseUrl !== undefined) this.requirePossible(changes.baseUrl);
    const ifVersion = await this.versionIn(ifMatch, ({ providers }) => providers[id]);
    await this.sealing(credentials, (sealed, companions) => {
      const given = sealed ? { credentials: sealed } : {};
      return this.execute({ type: 'ChangeProvider', id, changes, ...given, configured: this.configured, ifVersion }, companions);
    });
  }

  async removeProvider(id: string, ifMatch?: string): Promise<void> {
    const ifVersion = await this.versionIn(ifMatch, ({ providers }) => providers[id]);
    await this.execute({ type: 'RemoveProvider', id, configured: this.configured, ifVersion });
  }

  /** The prices are set first, so that no call of the new model is free. */
  async addModel(id: string, terms: ModelTerms, prices: readonly Price[]): Promise<void> {
    const command = { type: 'AddModel', id, terms, configured: this.configured } as const;
    // One after the other: the request that is refused must not set its prices for the model of the other one.
    const added = this.adding.then(async () => {
      await this.requireAccepted(command);
      for (const price of prices) await this.commands.execute(new ExecuteModelPrices(id, { type: 'SetPrice', price }));
      await this.execute(command);
    });
    this.adding = added.catch(() => undefined);
    await added;
  }

  async changeModel(id: string, changes: Partial<ModelTerms>, ifMatch?: string): Promise<void> {
    const ifVersion = await this.versionIn(ifMatch, ({ models }) => models[id]);
    await this.execute({ type: 'ChangeModel', id, changes, configured: this.configured, ifVersion });
  }

  async removeModel(id: string, ifMatch?: string): Promise<void> {
    const ifVersion = await this.versionIn(ifMatch, ({ models }) => models[id]);
    await this.execute({ type: 'RemoveModel', id, configured: this.configured, ifVersion });
  }

  async addRoute(id: string, terms: RouteTerms): Promise<void> {
    await this.execute({ type: 'AddRoute', id, terms, configured: this.configured });
  }

  async changeRoute(id: string, changes: Partial<RouteTerms>, ifMatch?: string): Promise<void> {
    const ifVersion = await this.versionIn(ifMatch, ({ routes }) => routes[id]);
    await this.execute({ type: 'ChangeRoute', id, changes, configured: this.configured, ifVersion });
  }

  async removeRoute(id: string, ifMatch?: string): Promise<void> {
    const ifVersion = await this.versionIn(ifMatch, ({ routes }) => routes[id]);
    await this.execute({ type: 'RemoveRoute', id, configured: this.configured, ifVersion });
  }

  private async execute(command: CatalogueCommand, companions: Seal['companions'] = []): Promise<void> {
    const { events } = await this.commands.execute(new ExecuteCatalogue(command, { companions }));
    await this.reader.refresh();
    for (const { event } of events)
      if ('replaced' in event && event.replaced) await this.vault.shred(credentialsSubject(event.replaced).id);
  }

  /** Seals credentials under a key of their own, which is destroyed if they are not recorded. */
  private async sealing(
    credentials: Partial<Credentials> | null,
    work: (sealed: SealedCredentials | null, companions?: Seal['companions']) => Promise<void>,
  ): Promise<void> {
    if (!credentials) return work(null);
    const credentialsId = newId();
    const subject = credentialsSubject(credentialsId);
    const kind = credentials.api_key ? 'api_key' : 'access_key';
    try {
      await this.vault.sealing(subject, ({ json, companions }) => work({ credentialsId, kind, sealed: json(credentials) }, companions));
    } catch (error) {
      if (error instanceof Refusal && error.kind !== 'unavailable') await this.vault.shred(subject.id);
      throw error;
    }
  }

  private async requireAccepted(command: CatalogueCommand): Promise<void> {
    const decision = catalogue.decide(command, await this.reader.refresh());
    if (decision instanceof Refusal) throw decision;
  }

  /** The version in `If-Match`, so that the stream refuses the change if the version has changed by then. */
  private async versionIn(
    ifMatch: string | undefined,
    find: (state: ManagedCatalogue) => { readonly version: number } | undefined,
  ): Promise<number | undefined> {
    if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
    const version = find(await this.reader.refresh())?.version;
    if (version !== undefined) requireMatch(ifMatch, version);
    return version;
  }

  private requirePossible(baseUrl: string | null): void {
    if (baseUrl === null) return;
    try {
      requirePossible(baseUrl, this.network);
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      throw refuse('invalid', error.code, error.message as Sentence, { errors: [{ path: 'base_url', message: error.message }] });
    }
  }
}
