import { MakeFirstAdminOnFirstStart } from '@parlance/identity';
import { baseUrl, type Config } from '@parlance/config';
import { type Host, openHost, type Started, startService } from '@parlance/foundation';
import { releaseStartupMemory, requireFreePort } from '@parlance/foundation/run';
import { banner } from './banner.ts';
import { listenToOperator } from './operator/operator-server.ts';
import { services } from './services.ts';

export interface Running {
  readonly host: Host;
  readonly started: ReadonlyMap<string, Started>;
  readonly url: string;
  /** Set if this start has created the first Admin. */
  readonly firstAdmin: MakeFirstAdminOnFirstStart['made'];
}

/** Starts all services in this process. Rejects if a part cannot start. */
export async function startAll(config: Config, atTerminal: boolean): Promise<Running> {
  await requireFreePort(config.host, config.port);
  const host = await openHost(config, atTerminal);
  host.published.expect(services.map(({ name }) => name));
  const started = new Map<string, Started>();
  for (const service of services) started.set(service.name, await startService(service, host));
  releaseStartupMemory();
  await started.get('edge')?.app.listen(config.port, config.host);
  host.start.started();
  const address = started.get('edge')?.instance.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  return {
    host,
    started,
    url: baseUrl(config.host, port),
    firstAdmin: started.get('identity')?.app.get(MakeFirstAdminOnFirstStart).made ?? null,
  };
}

export async function start(config: Config): Promise<void> {
  const running = await startAll(config, process.stdout.isTTY);
  running.host.shutdown.listen();
  if (running.host.directory) await listenToOperator(running.host, running.started);
  const { url, firstAdmin } = running;
  process.stdout.write(banner({ url, dataDir: config.dataDir, firstAdmin, hasConsole: hasConsole(config) }));
}

/** The console is served unless the configuration disables it. */
const hasConsole = (config: Config & { readonly console?: boolean }): boolean => config.console ?? true;
