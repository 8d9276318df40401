import { Controller, Get } from '@nestjs/common';
import { Internal } from '@parlance/http';
import { type ServiceFacts, ServiceHealth } from './service-health.ts';

export const SERVICE_HEALTH_PATH = '/internal/health';
/** The same route of the edge, which has no internal routes. It is next to the probes, so that the edge's allowlist admits other services. */
export const EDGE_HEALTH_PATH = '/health/facts';

/** The state of this service, for the overview of administrators. */
@Controller(SERVICE_HEALTH_PATH.slice(1))
@Internal()
export class ServiceHealthController {
  constructor(private readonly health: ServiceHealth) {}

  @Get()
  facts(): Promise<ServiceFacts> {
    return this.health.facts();
  }
}
