import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Refusal } from '@parlance/decider';
import type { Logger, Metrics, Tracing } from '@parlance/observability';

export interface BusObserver {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/** Records a span, a measurement and a log line (at debug) for each command and query of a service. */
export function observeBuses(commands: CommandBus, queries: QueryBus, observer: BusObserver): void {
  observe(commands, 'command', observer);
  observe(queries, 'query', observer);
}

interface Bus {
  execute(message: object, context?: never): Promise<unknown>;
}

function observe(bus: Bus, kind: 'command' | 'query', { logger, metrics, tracing }: BusObserver): void {
  const execute = bus.execute.bind(bus);
  bus.execute = async (message, context) => {
    const { name } = message.constructor;
    const span = tracing.begin(name, { attributes: { kind } });
    const begun = performance.now();
    const ended = (outcome: string, error?: unknown) => {
      const ms = performance.now() - begun;
      span.end(error);
      metrics.handled(kind, name, outcome, ms / 1000);
      if (logger.isLevelEnabled('debug')) logger.debug({ [kind]: name, outcome, ms: Math.round(ms * 100) / 100 }, 'handled');
    };
    try {
      const result = await execute(message, context);
      ended('done');
      return result;
    } catch (error) {
      // A refusal is an outcome, not a failure of the span.
      if (error instanceof Refusal && error.kind !== 'unavailable') ended('refused');
      else ended('failed', error);
      throw error;
    }
  };
}
