import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { database } from './dependencies/database.ts';
import { freePort } from './free-port.ts';
import { kafka, kafkaOfThree } from './dependencies/kafka.ts';
import { type Bucket, bucketIn, s3 } from './dependencies/object-store.ts';
import { patience } from './patience.ts';
import { type Place, placeFor, type Server, startServer } from './server.ts';
import { shared } from './shared.ts';
import { noteStart } from './starts.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The Node version of the lock file. */
const node = join(root, 'node_modules/node/bin/node');

type Environment = Readonly<Record<string, string>>;

/** The flags and the environment with which `npm start` starts Node. */
const { nodeFlags, environment: environmentOfNode } = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { config: { nodeFlags: string[]; environment: Environment } }
).config;

const environmentOfTests: Environment = {
  // Most tests count bots, events and entries. A test of the guide sets this to true.
  PARLANCE_GUIDE_BOT: 'false',
  // Other tests on this machine make writes wait, and no test expects a refusal for that.
  PARLANCE_LONGEST_WRITE_WAIT_MILLIS: '60000',
  // A scenario that restarts processes of a cluster under load sets the usual value.
  PARLANCE_SHUTDOWN_NOTICE_SECONDS: '0',
};

export interface Product extends Server {
  /** The base URL for clients. */
  readonly url: string;
  /** The folder of the product's data and of `server.log`. */
  readonly directory: string;
}

/** The complete built product in one process, with its own port and directory. Rejects with the end of its output if it does not start. */
export async function oneProcess(environment: Environment = {}, place: Place = {}): Promise<Product> {
  const where = await placeFor('process', place);
  const port = environment['PARLANCE_PORT'] ?? String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const server = await startServer(
    {
      name: 'Parlance',
      command: node,
      args: [...nodeFlags, join(root, 'apps/parlance/dist/main.js'), 'start'],
      env: {
        PARLANCE_PORT: port,
        PARLANCE_DATA_DIR: join(where.directory, 'data'),
        PARLANCE_LOG_LEVEL: 'warn',
        ...environmentOfNode,
        ...environmentOfTests,
        ...environment,
      },
      ready: () => answers(url),
    },
    where,
  );
  return Object.assign(server, { url, directory: where.directory });
}

/**
 * One product process for all spec files of a worker that use this environment. It starts for the first of them, and is killed with the worker. A
 * spec must use its own users and names, and must not count or change data of all users.
 */
export function sharedProduct(environment: Environment): Promise<Pick<Product, 'url'>> {
  return shared(`product ${JSON.stringify(environment)}`, () => startShared(environment));
}

async function startShared(environment: Environment): Promise<Product> {
  const port = String(await freePort());
  // Passkeys need a host name.
  return oneProcess({ PARLANCE_PORT: port, PARLANCE_PUBLIC_BASE_URL: `http://localhost:${port}`, ...environment });
}

export interface Cluster {
  /** The base URL of each edge. */
  readonly urls: readonly string[];
  /** Every process by name: `identity`, `inference-2`, `kafka` or `kafka-1` to `kafka-3`, `database`, `s3`. */
  readonly servers: ReadonlyMap<string, Server>;
  readonly directory: string;
  /** Each service's addresses, in the form of the configuration key `services`. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly bucket: Bucket;
  /** The address of the metrics of each service process by name, if the cluster serves them. */
  readonly metrics: Readonly<Record<string, string>>;
  /** The environment variables that all services share. */
  readonly environment: Environment;
  stop(): Promise<void>;
}

/** The services and their numbers of replicas, in the order of the start: a service starts after the services whose logs it reads. */
const replicas = { identity: 2, inference: 2, bots: 2, publication: 1, analytics: 1, edge: 2 } as const;

/** The services that get the secret of the object store, as in the chart and in Compose. */
const USE_FILES: readonly string[] = ['analytics', 'bots', 'inference'];

/** Returns the program of a replica. It is called at each start. A test of two releases side by side passes its own function. */
type MainOf = (name: string, service: string) => string;
const builtMain: MainOf = (_, service) => join(root, 'apps', service, 'dist/main.js');

export interface ClusterOptions extends Place {
  readonly hasThreeBrokers?: boolean;
  /** Whether each service process serves metrics, on a port of its own. */
  readonly hasMetrics?: boolean;
  /** Called for each service process that ends by itself, with its exit code or signal. */
  onLost?(name: string, server: Server, why: number | NodeJS.Signals): void;
}

/**
 * Starts every service as its own process over a real Kafka, a MongoDB-compatible database and an S3-compatible store. It uses the servers that the
 * environment names, unless a directory or `isOwn` is given. The topics have fixed names, so only one cluster of a run may use the Kafka of the
 * environment. The store keeps its objects in memory. `onStart` is called for each started process.
 */
export async function cluster(
  environment: Environment = {},
  { hasThreeBrokers = false, hasMetrics = false, onLost, ...place }: ClusterOptions = {},
  onStart: (name: string) => void = () => undefined,
  mainOf: MainOf = builtMain,
): Promise<Cluster> {
  const where = await placeFor('cluster', place);
  noteStart('cluster');
  const servers = new Map<string, Server>();
  const stop = async () => {
    for (const server of [...servers.values()].reverse()) await server.stop();
    if (where.temporary) await rm(where.directory, { recursive: true, force: true, maxRetries: 3 });
  };
  // Inside the folder of the cluster, so that a test can search all files, and the next start finds them again if the folder is kept.
  const inside = (name: string): Place => (where.temporary && !place.isOwn ? {} : { directory: join(where.directory, name) });
  const started = (name: string, server: Server) => {
    servers.set(name, server);
    onStart(name);
  };
  try {
    const starting = [database(inside('database')), hasThreeBrokers ? kafkaOfThree() : kafka(inside('kafka')), s3()] as const;
    // Wait for all processes, so that the started ones are stopped if another one fails.
    const outcomes = await Promise.allSettled(starting);
    for (const [index, name] of (['database', 'kafka', 's3'] as const).entries()) {
      const outcome = outcomes[index]!;
      if (outcome.status !== 'fulfilled') continue;
      if (!('nodes' in outcome.value)) started(name, outcome.value);
      else for (const [n, server] of outcome.value.nodes.entries()) started(`${name}-${n + 1}`, server);
    }
    const [db, broker, objects] = await Promise.all(starting);
    const [ports, metricsPorts] = [new Map<string, number>(), new Map<string, number>()];
    for (const name of names()) ports.set(name, await freePort());
    if (hasMetrics) for (const name of names()) metricsPorts.set(name, await freePort());
    // The key is in the environment, because the temporary directory is removed before the last process ends.
    const common: Environment = {
      PARLANCE_MONGO_URI: db.uri,
      PARLANCE_KAFKA_BROKERS: broker.brokers.join(','),
      PARLANCE_UPLOAD_ORIGIN: objects.endpoint,
      PARLANCE_PUBLIC_BASE_URL: `http://127.0.0.1:${ports.get('edge-1')}`,
      PARLANCE_LOG_LEVEL: 'info',
      ...environmentOfTests,
      ...(hasThreeBrokers && { PARLANCE_KAFKA_REPLICATION_FACTOR: '3' }),
      ...(where.temporary
        ? { PARLANCE_MASTER_KEY: randomBytes(32).toString('base64') }
        : { PARLANCE_MASTER_KEY_FILE: join(where.directory, 'master.key') }),
      ...environment,
    };
    const bucket = await bucketIn(objects, 'parlance');
    const urlOf = (name: string) => `http://127.0.0.1:${ports.get(name)}`;
    const addresses = Object.fromEntries(Object.keys(replicas).map((each) => [each, namesOf(each).map(urlOf).join(',')]));
    const start = async (name: string) => {
      const [service = name] = name.split('-');
      const directory = join(where.directory, name);
      await mkdir(directory, { recursive: true });
      const server = await startServer(
        {
          name,
          command: node,
          args: [mainOf(name, service)],
          env: {
            ...(USE_FILES.includes(service) && { PARLANCE_OBJECT_STORE: JSON.stringify(bucket) }),
            ...common,
            PARLANCE_PORT: String(ports.get(name)),
            ...(hasMetrics && { PARLANCE_METRICS_PORT: String(metricsPorts.get(name)) }),
            PARLANCE_SERVICES: JSON.stringify(addresses),
          },
          ready: () => answers(urlOf(name)),
          ...(onLost && { onLost: (lost, why) => onLost(name, lost, why) }),
        },
        { directory, temporary: where.temporary },
      );
      started(name, server);
    };
    // Start two at a time, because more would only wait for each other on a small machine.
    const waiting = names();
    await Promise.all([drain(waiting, start), drain(waiting, start)]);
    const metrics = Object.fromEntries([...metricsPorts].map(([name, port]) => [name, `http://127.0.0.1:${port}/metrics`]));
    const urls = [urlOf('edge-1'), urlOf('edge-2')];
    return { urls, servers, directory: where.directory, addresses, bucket, metrics, environment: common, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function drain(waiting: string[], start: (name: string) => Promise<void>): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await start(name);
}

function namesOf(service: string): string[] {
  const count = replicas[service as keyof typeof replicas];
  return count === 1 ? [service] : Array.from({ length: count }, (_, index) => `${service}-${index + 1}`);
}

const names = () => Object.keys(replicas).flatMap(namesOf);

async function answers(url: string): Promise<void> {
  const { status } = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(patience(10_000)) });
  if (status !== 200) throw new Error(`${url} answered ${status}`);
}
