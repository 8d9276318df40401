import { createServer } from 'node:net';
import { isOutage, UnsuitableServer } from '@parlance/event-store';
import { KeyNotGranted, MasterKeyUnusable, WrongMasterKey } from '@parlance/privacy';
import { FileUnusable, NewerSchema, WriteFailed } from '@parlance/sqlite';
import { type Config, ConfigError } from '@parlance/config';
import { DataDirectoryUnusable, LogRefused, RestoreUnfinished } from '@parlance/installation';

/** Thrown before anything is written, when another process listens on the configured port. */
export class PortTaken extends Error {
  constructor(host: string, port: number, code: string) {
    super(
      code === 'EADDRINUSE'
        ? `port ${port} is taken: stop the program that uses it, or choose another with PARLANCE_PORT`
        : `can't listen on ${host}:${port} (${code}): choose another with PARLANCE_HOST and PARLANCE_PORT`,
    );
    this.name = 'PortTaken';
  }
}

/** Throws `PortTaken`. Call this before the start, because a first start creates secrets that are shown only once. */
export function requireFreePort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => reject(new PortTaken(host, port, error.code ?? 'unknown')));
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

const foreseen = [
  ConfigError,
  DataDirectoryUnusable,
  LogRefused,
  RestoreUnfinished,
  MasterKeyUnusable,
  WrongMasterKey,
  KeyNotGranted,
  PortTaken,
  FileUnusable,
  WriteFailed,
  UnsuitableServer,
];

const DATABASE_AWAY = 'the database cannot be reached: check that it runs, and check mongoUri';

/** The driver's errors for a Kafka that does not answer, and the messages for them. */
const unreachable: Readonly<Record<string, string>> = {
  KafkaJSNumberOfRetriesExceeded: 'Kafka cannot be reached: check that it runs, and check kafkaBrokers',
  KafkaJSConnectionError: 'Kafka cannot be reached: check that it runs, and check kafkaBrokers',
};

/** Recognises errors of the Kafka adapter by name, because the adapter is not loaded here. */
function refusedByKafka({ name, message }: Error): string | null {
  if (name === 'KafkaFileUnusable') return message;
  return name === 'KafkaJSSASLAuthenticationError' ? 'Kafka does not let this process sign in: check kafkaSecurity' : null;
}

/** The message for an error of a driver whose server does not answer; null for every other error. */
export const unreachableServer = (error: unknown): string | null =>
  isOutage(error) ? DATABASE_AWAY : (unreachable[(error as Error).name] ?? null);

/** A one-line message with the remedy, for an error at the start; null for an unexpected error. */
export function oneLine(error: unknown, config: Pick<Config, 'dataDir'> | null): string | null {
  if (error instanceof NewerSchema) {
    return `dataDir ${config?.dataDir ?? ''} was written by a newer version of Parlance: start that version, or choose another directory`;
  }
  if (foreseen.some((type) => error instanceof type)) return (error as Error).message;
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall === 'listen')
    return `port ${port} cannot be opened (${code}): stop the program that uses it, or choose another with PARLANCE_PORT or PARLANCE_METRICS_PORT`;
  return unreachableServer(error) ?? refusedByKafka(error as Error);
}
