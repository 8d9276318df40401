import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { databasePath } from './database.ts';
import { kafkaPath } from './kafka-files.ts';
import { kafkaPythonPath } from './kafka-python.ts';
import { storePath } from './object-store.ts';
import { modelClientsPath } from './model-clients.ts';
import { parquetPath } from './parquet.ts';
import { schemathesisPath } from './schemathesis.ts';

export type Kind = 'mongo' | 'kafka' | 's3' | 'schemathesis' | 'parquet' | 'kafka-python' | 'model-clients';

/**
 * The reason why this machine cannot provide a server of this kind, as a sentence; null if it can. Skip the suite if there is a reason. With
 * CI=true, throws instead, because no suite may be skipped there.
 */
export function missing(kind: Kind): string | null {
  const reason = reasonFor(kind);
  if (reason !== null && process.env.CI === 'true') throw new Error(`${reason} With CI=true that is a failure, not a skip.`);
  return reason;
}

function reasonFor(kind: Kind): string | null {
  switch (kind) {
    case 'mongo':
      if (process.env.MONGODB_URI || existsSync(databasePath())) return null;
      return python('MongoDB-compatible server', ', or MONGODB_URI');
    case 's3':
      return existsSync(storePath()) ? null : python('S3-compatible server', '');
    case 'parquet':
      return existsSync(parquetPath()) ? null : python('reader of Parquet files', '');
    case 'schemathesis':
      return existsSync(schemathesisPath()) ? null : python('tester of the OpenAPI document', '');
    case 'model-clients':
      return existsSync(modelClientsPath()) ? null : python('client of models in Python', '');
    case 'kafka-python':
      return existsSync(kafkaPythonPath()) ? null : python('Kafka client in Python', '');
    case 'kafka':
      if (process.env.KAFKA_BROKERS) return null;
      if (!isJavaNewEnough()) return 'A real Kafka needs Java 17 or newer, or KAFKA_BROKERS, and there is neither.';
      if (existsSync(kafkaPath()) || answers('mvn', ['-v'])) return null;
      return 'A real Kafka is fetched by Maven (mvn), which is not installed; set KAFKA_BROKERS to use one that runs.';
  }
}

function python(what: string, alternative: string): string | null {
  if (answers('python3', ['-c', 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))'])) return null;
  return `A ${what} needs Python 3.10 or newer with its venv module${alternative}, and there is none.`;
}

function isJavaNewEnough(): boolean {
  // Java prints its version to stderr: openjdk version "17.0.15".
  const { stderr } = spawnSync('java', ['-version'], { encoding: 'utf8', env: process.env });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0) >= 17;
}

function answers(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore', env: process.env }).status === 0;
}
