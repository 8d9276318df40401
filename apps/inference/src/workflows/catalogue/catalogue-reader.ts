import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { UnknownEvent } from '@parlance/decider';
import { EventStore } from '@parlance/event-store';
import { LOGGER, Streams } from '@parlance/foundation';
import { isTransient } from '@parlance/http';
import type { Logger } from '@parlance/observability';
import { type Sealed, Vault } from '@parlance/privacy';
import { type Credentials, NO_CREDENTIALS, partsOf } from '../../adapters/catalogue/managed-parts.ts';
import { ModelProvidersLifecycle } from '../../adapters/model-providers-lifecycle.ts';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { catalogue as rules, CATALOGUE_STREAM } from '../../domain/catalogue/catalogue.ts';
import { type ManagedCatalogue, NOTHING_MANAGED } from '../../domain/catalogue/managed-catalogue.ts';
import { CallTargets } from '../calls/routes/call-targets.ts';

/** Reads what administrators have added to the catalogue, so that this process uses it. Each process reads the log itself. */
@Injectable()
export class CatalogueReader implements OnApplicationBootstrap {
  private state = NOTHING_MANAGED;
  /** The version of the stream that was read. */
  private version = 0;
  private reading: Promise<void> = Promise.resolve();
  /** The type of the event that this release does not know. */
  private unknown: string | null = null;
  /** Opened credentials, by their IDs. */
  private credentials: ReadonlyMap<string, Credentials> = new Map();

  constructor(
    private readonly store: EventStore,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly catalogue: Catalogue,
    private readonly lifecycle: ModelProvidersLifecycle,
    private readonly targets: CallTargets,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
  }

  /** Resolves with a state that includes every change that was recorded before the call, unless a newer release has recorded one that this one does not know. */
  async refresh(): Promise<ManagedCatalogue> {
    this.reading = this.reading.catch(() => undefined).then(() => this.read());
    await this.reading;
    return this.state;
  }

  private async read(): Promise<void> {
    const { commits } = await this.store.read(CATALOGUE_STREAM, this.version, 1);
    if (commits.length === 0) return;
    const found = await this.streams.look(rules, CATALOGUE_STREAM).catch((error: unknown) => this.noteUnknown(error));
    if (found === null) return;
    const { state, version } = found;
    const opened = await this.opened(state);
    this.catalogue.use(partsOf(state, opened.byProvider));
    this.targets.keepOnly(this.catalogue.entries);
    this.lifecycle.showBreakers();
    [this.state, this.version, this.credentials] = [state, version, opened.byId];
  }

  /**
   * This process keeps the models that it has, because those of the configuration can still be called. After a start, these are all that it has.
   * Commands are refused with `newer_release`.
   */
  private noteUnknown(error: unknown): null {
    if (!(error instanceof UnknownEvent)) throw error;
    if (this.unknown !== error.type) this.log.error({ err: error }, 'added models cannot be read until the update is complete');
    this.unknown = error.type;
    return null;
  }

  private async opened({ providers }: ManagedCatalogue) {
    const byId = new Map<string, Credentials>();
    const byProvider = new Map<string, Credentials>();
    for (const [provider, { credentials }] of Object.entries(providers)) {
      if (!credentials) continue;
      const { credentialsId, sealed } = credentials;
      const opened = this.credentials.get(credentialsId) ?? (await this.open(provider, sealed));
      byId.set(credentialsId, opened);
      byProvider.set(provider, opened);
    }
    return { byId, byProvider };
  }

  /** A provider whose credentials cannot be opened is not available, but the others are. Rejects if they may be opened later: they are read again. */
  private async open(provider: string, sealed: string): Promise<Credentials> {
    try {
      const opened = await this.vault.openJson<Partial<Credentials>>(sealed as Sealed);
      return { ...NO_CREDENTIALS, ...opened };
    } catch (error) {
      if (isTransient(error)) throw error;
      this.log.error({ err: error, provider }, 'the credentials of a provider of models cannot be opened');
      return NO_CREDENTIALS;
    }
  }
}
