import { type Config, processConfig } from '@parlance/config';
import { openHost } from './host.ts';
import { type Service, startService } from './service.ts';
import { oneLine, requireFreePort } from './one-line.ts';
import { releaseStartupMemory } from './startup-memory.ts';

export { processConfig } from '@parlance/config';
export { oneLine, PortTaken, requireFreePort } from './one-line.ts';
export { releaseStartupMemory } from './startup-memory.ts';

/** The body of a service's main.ts: runs one service on the configured port until a signal stops it. */
export async function runService(service: Service): Promise<void> {
  let config: Config | null = null;
  try {
    config = processConfig();
    await requireFreePort(config.host, config.port);
    const host = await openHost(config, false, 'waits');
    host.shutdown.listen();
    const { app } = await startService(service, host);
    releaseStartupMemory();
    await app.listen(config.port, config.host);
    host.start.started();
    const announcement = service.announce?.(app);
    if (announcement) process.stdout.write(`${announcement}\n`);
    host.logging.for(service.name).info({ port: config.port }, 'ready');
  } catch (error) {
    const known = oneLine(error, config);
    process.stderr.write(`${known ?? (error as Error).stack}\n`);
    process.exit(1);
  }
}
