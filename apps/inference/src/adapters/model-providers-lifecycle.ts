import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { METRICS } from '@parlance/foundation';
import { type Metrics, Readiness } from '@parlance/observability';
import { Catalogue } from './catalogue.ts';

/** Shows the breakers of the model providers in health and metrics, and loads their packages. Closes their connections when the process stops. */
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
    // In the background: a package takes up to 0.3 s. One that cannot be loaded fails the first call.
    this.catalogue.prepare().catch(() => undefined);
  }

  onModuleDestroy(): void {
    this.catalogue.providers.close();
  }
}
