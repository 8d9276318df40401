import { existsSync } from 'node:fs';
import { type Broker, type Report, SteadyReports } from '@parlance/messaging';
import { loadMasterKey, type MasterKey, MasterKeyUnusable } from '@parlance/privacy';
import { LocalServices } from '@parlance/calls';
import type { Config } from '@parlance/config';
import { CallerStatements } from '@parlance/http';
import { DataDirectory, FileInstallation, filesUsed } from '@parlance/installation';
import {
  chosenLevel,
  type Logging,
  type MetricsExport,
  openLogging,
  openMetrics,
  openTracing,
  ShutdownPlan,
  StartState,
  type TraceExport,
} from '@parlance/observability';
import { openBroker } from '../wiring/broker.module.ts';
import { type Objects, openObjects } from '../wiring/object-store.module.ts';
import { LocalPublishedLogs } from '../publishing/published-log.ts';
import { usualPace, type Pace } from './pace.ts';
import { type Reach, reachInTime, reachOnce } from './reach.ts';

/** The parts that all services of one process share. */
export interface Host {
  readonly config: Config;
  /** Null if both MongoDB and Kafka are configured, because then nothing is stored in files. */
  readonly directory: DataDirectory | null;
  /** Null if there is no directory. */
  readonly installation: FileInstallation | null;
  readonly master: MasterKey;
  readonly statements: CallerStatements;
  readonly logging: Logging;
  readonly metrics: MetricsExport;
  readonly traces: TraceExport;
  readonly shutdown: ShutdownPlan;
  readonly start: StartState;
  readonly pace: Pace;
  /** How connections to database and broker are opened: once, or with retries. */
  readonly reach: Reach;
  /** The services of this process; empty if each service has its own process. */
  readonly local: LocalServices;
  readonly published: LocalPublishedLogs;
  /** Read models that are being built, by service. A service is ready only when no read model of any service of its process is being built. */
  readonly building: Map<string, () => readonly { readonly projection: string; readonly progress: number }[]>;
  /** Rejects if the store of a service cannot be written, by service. A service is ready only when the stores of all services of its process can be written. */
  readonly writes: Map<string, () => Promise<void>>;
  readonly broker: Broker;
  /** Reports about a broker that does not answer. */
  readonly outages: SteadyReports;
  readonly objects: Objects;
}

async function openFiles(config: Config, directory: DataDirectory, warn: (error: unknown) => void) {
  try {
    return { directory, installation: await FileInstallation.open(directory.path, filesUsed(config), warn) };
  } catch (error) {
    directory.release();
    throw error;
  }
}

/**
 * Throws `DataDirectoryUnusable`, `LogRefused`, `RestoreUnfinished`, `MasterKeyUnusable` and the errors of the broker's adapter. Each message is one line that
 * states the remedy.
 */
export async function openHost(
  config: Config,
  atTerminal: boolean,
  servers: 'waits' | 'needs at once' = 'needs at once',
  pace = usualPace,
): Promise<Host> {
  const keepsFiles = config.mongoUri === null || config.kafkaBrokers.length === 0;
  const logging = openLogging({ level: chosenLevel(config, atTerminal) });
  const log = logging.for('host');
  const directory = keepsFiles ? DataDirectory.take(config.dataDir) : null;
  const unmarked = (err: unknown) => log.warn({ err }, 'the marks of the logs could not be written; another attempt follows');
  const files = directory && (await openFiles(config, directory, unmarked));
  const master = masterKeyOf(config, directory);
  const shutdown = new ShutdownPlan({
    graceSeconds: config.shutdownGraceSeconds,
    warn: (message, error) => log.error({ err: error }, message),
  });
  const start = new StartState();
  const metrics = await openMetrics(config.metricsPort, config.host, start);
  const traces = await openTracing(config.otlpEndpoint, (message) => log.warn(message));
  const reach = servers === 'waits' ? reachInTime(start) : reachOnce;
  const report: Report = (message, details) => log.warn(details ?? {}, message);
  const outages = new SteadyReports();
  const broker = await reach(
    'broker',
    () => openBroker(config, files, pace.retry, report, outages.of(report)),
    (reason) => log.warn(`${reason}; another attempt follows`),
  );
  const objects = await openObjects(config, directory, master);

  shutdown.stop('stores', 'broker', () => broker.close());
  shutdown.stop('stores', 'object store', () => objects.close());
  shutdown.stop('telemetry', 'marks', () => files?.installation.stop());
  // Last, because another process may open the directory only when all files are closed.
  shutdown.stop('telemetry', 'data directory', () => directory?.release());
  shutdown.stop('telemetry', 'metrics', () => metrics.close());
  shutdown.stop('telemetry', 'traces', () => traces.close());
  shutdown.stop('telemetry', 'logs', () => logging.flush());
  const statements = new CallerStatements(master.derive('caller-statements'));
  const [local, published] = [new LocalServices(), new LocalPublishedLogs()];
  const installation = files?.installation ?? null;
  const [building, writes]: [Host['building'], Host['writes']] = [new Map(), new Map()];
  const shared = { config, directory, installation, master, statements, logging, metrics, traces, shutdown, start, pace, reach };
  return { ...shared, local, published, building, writes, broker, outages, objects };
}

/** Throws `MasterKeyUnusable` if the key is unusable, or if it is missing although the directory has data that need it. */
function masterKeyOf({ masterKey, masterKeyFile }: Config, directory: DataDirectory | null): MasterKey {
  if (masterKey !== null) return loadMasterKey({ value: masterKey });
  if (directory?.holdsData() && !existsSync(masterKeyFile)) {
    throw new MasterKeyUnusable(
      `the master key file ${masterKeyFile} is gone, and the data in ${directory.path} can't be read without it: put it back`,
    );
  }
  return loadMasterKey({ file: masterKeyFile });
}

/** The configured key, or null if a start would have to create it. Throws `MasterKeyUnusable`. */
export function masterKeyThere({ masterKey, masterKeyFile }: Config): MasterKey | null {
  if (masterKey !== null) return loadMasterKey({ value: masterKey });
  return existsSync(masterKeyFile) ? loadMasterKey({ file: masterKeyFile }) : null;
}
