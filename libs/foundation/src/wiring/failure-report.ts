import type { SteadyReports } from '@parlance/messaging';
import type { Logger } from '@parlance/observability';

/**
 * Logs failures of read models and of the relay. Those that are retried are repeated every second while another service, the database or Kafka is
 * away, so they are among the lines about outages. A read model that has stopped says so once, and always.
 */
export function failureReport(log: Pick<Logger, 'error'>, outages: SteadyReports): (failure: unknown) => void {
  const retried = outages.of((message, details) => log.error(details, message));
  return (failure) => {
    const hasStopped = typeof failure === 'object' && failure !== null && 'stopped' in failure && failure.stopped === true;
    if (hasStopped) log.error({ failure }, 'a read model has stopped');
    else retried('a read model or the relay failed and will be retried', { failure });
  };
}
