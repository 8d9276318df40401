import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { METRICS } from '@parlance/foundation';
import { type Metrics, Readiness } from '@parlance/observability';
import { Catalogue } from './pricing/catalogue.ts';

/** Reports the circuit breakers of model providers in health and metrics, and loads the providers' packages. Closes their connections when the process stops. */
@Injectable()
export class ModelProvidersLifecycle implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly shown = new Set<string>();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly readiness: Readiness,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.showBreakers();
    // In the background, because a package takes up to 0.3 s. If one cannot be loaded, the first call fails.
    this.catalogue.prepare().catch(() => undefined);
  }

  /** Shows the breakers of providers that were added. A breaker is shown for as long as its provider is there. */
  showBreakers(): void {
    const { providers } = this.catalogue;
    for (const { name: provider } of providers.gates) {
      if (this.shown.has(provider)) continue;
      this.shown.add(provider);
      const state = () => providers.gateOf(provider)?.state ?? null;
      this.readiness.showsBreaker(`models ${provider}`, state);
      this.metrics.breaker(`models ${provider}`, state);
    }
  }

  onModuleDestroy(): void {
    this.catalogue.providers.close();
  }
}
