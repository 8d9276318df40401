import { Injectable } from '@nestjs/common';
import type { WireDialect } from '@parlance/chat-models';
import type { ModelRoute } from '@parlance/config';
import { type Instant, refuse } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import type { CallFormat } from '../../../adapters/calls/call-formats.ts';
import { isTranslated } from '../../../adapters/calls/translated/translated-call.ts';
import type { CallProvider } from '../../../adapters/model-providers.ts';
import { Catalogue } from '../../../adapters/pricing/catalogue.ts';
import type { ModelKind } from '../../../adapters/pricing/model-kinds.ts';
import type { Price } from '../../../domain/model-prices.ts';
import type { AllowedModel, CalledModel } from '../allowed-models.ts';

/** A model that may answer a call. */
export interface PlannedTarget extends AllowedModel {
  /** Null if the call is answered here: by the offline model, or by counting. */
  readonly provider: CallProvider | null;
  /** When the call began. Null for a model without a price, and for a free call. */
  readonly price: Price | null;
  readonly weight: number;
}

/** The models that may answer a call: one, or those of a route. */
export interface CallPlan {
  readonly route: ModelRoute | null;
  readonly targets: readonly PlannedTarget[];
  readonly fallbacks: readonly PlannedTarget[];
}

/** What a model needs for an endpoint. */
export interface Needed {
  readonly dialect: WireDialect;
  readonly format: CallFormat;
  readonly kind: ModelKind;
  readonly isFree: boolean;
}

/** Finds the models that may answer a call, with their providers and prices. */
@Injectable()
export class CallPlans {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusal `unsupported_parameter` (invalid) if the providers of all models lack this endpoint. */
  async of({ id, route, targets, fallbacks }: CalledModel, endpoint: string, needed: Needed): Promise<CallPlan> {
    const at = needed.isFree ? null : this.clock.now();
    const planned = (models: readonly AllowedModel[]): Promise<readonly PlannedTarget[]> =>
      Promise.all(
        models.flatMap((model) => {
          const provider = this.providerFor(model, needed);
          return provider === undefined ? [] : [this.planned(model, provider, route, at)];
        }),
      );
    const plan = { route, targets: await planned(targets), fallbacks: await planned(fallbacks) };
    if (plan.targets.length + plan.fallbacks.length > 0) return plan;
    const detail = `The model ${id} cannot be called with /v1/${endpoint}.` as const;
    throw refuse('invalid', 'unsupported_parameter', detail, { errors: [{ path: 'model', message: detail }] });
  }

  private async planned(
    model: AllowedModel,
    provider: CallProvider | null,
    route: ModelRoute | null,
    at: Instant | null,
  ): Promise<PlannedTarget> {
    const { id } = model.entry;
    const weight = route?.targets.find((target) => target.model === id)?.weight ?? 1;
    return { ...model, provider, weight, price: at === null ? null : await this.catalogue.recentPriceAt(id, at) };
  }

  /** Undefined if the model's provider does not have the endpoint. Null if the call is answered here. */
  providerFor({ entry, type }: AllowedModel, { dialect, format, kind, isFree }: Needed): CallProvider | null | undefined {
    if (!this.catalogue.serves(entry, kind)) return undefined;
    if (type === 'local') return kind === 'chat' ? null : undefined;
    const { providers } = this.catalogue;
    const passing = providers.passingTo(entry.provider);
    if (passing?.access.dialect === dialect) return passing;
    if (!isTranslated(format)) return undefined;
    const translating = providers.translatingTo(entry);
    return translating && isFree ? null : (translating ?? undefined);
  }
}
