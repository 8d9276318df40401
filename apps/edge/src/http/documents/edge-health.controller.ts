import { Controller, Get, Header, Headers } from '@nestjs/common';
import { Instant, refuse } from '@parlance/decider';
import { Clock, EDGE_HEALTH_PATH, type ServiceFacts, ServiceHealth } from '@parlance/foundation';
import { CallerStatements, Open, STATEMENT_HEADER } from '@parlance/http';

/**
 * The state of the edge, for the overview of administrators. All other routes of the edge ignore statements, so this one verifies the
 * signature itself. For clients, this path does not exist.
 */
@Controller(EDGE_HEALTH_PATH.slice(1))
@Open()
export class EdgeHealthController {
  constructor(
    private readonly health: ServiceHealth,
    private readonly statements: CallerStatements,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Header('cache-control', 'no-store')
  facts(@Headers(STATEMENT_HEADER) statement: string | undefined): Promise<ServiceFacts> {
    if (this.statements.verify(statement, Instant.ofMillis(this.clock.now()))?.call !== true)
      throw refuse('missing', 'no_such_route', 'There is nothing at this path.');
    return this.health.facts();
  }
}
