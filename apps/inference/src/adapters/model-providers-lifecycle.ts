import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { METRICS } from '@parlance/foundation';
import { type Metrics, Readiness } from '@parlance/observability';
import { Catalogue } from './pricing/catalogue.ts';

/** Reports the circuit breakers of model providers in health and metrics, and loads the providers' packages. Closes their connections when the process stops. */
@Injectable()
export class ModelProvidersLifecycle implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly readiness: Readiness,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    for (const gate of this.catalogue.providers.gates) {
      const name = `models ${gate.name}`;
      this.readiness.showsBreaker(name, () => gate.state);
      this.metrics.breaker(name, () => gate.state);
    }
    // In the background, because a package takes up to 0.3 s. If one cannot be loaded, the first call fails.
    this.catalogue.prepare().catch(() => undefined);
  }

  onModuleDestroy(): void {
    this.catalogue.providers.close();
  }
}
