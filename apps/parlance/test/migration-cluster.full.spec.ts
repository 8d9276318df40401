import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Cluster,
  cluster,
  type Database,
  database,
  type KafkaBroker,
  kafka,
  missing,
  patience,
  writeSourceExport,
} from '@parlance/testing';
import { environment } from './deployment.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const why = missing('mongo') ?? missing('kafka') ?? missing('s3');

(why === null ? describe : describe.skip)(`a migration into a cluster${why === null ? '' : ` (skipped: ${why})`}`, () => {
  let directory: string;
  let db: Database;
  let broker: KafkaBroker;
  let services: Cluster;
  const given = { mongo: process.env['MONGODB_URI'], kafka: process.env['KAFKA_BROKERS'] };
  let shared: Record<string, string>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-migration-'));
    [db, broker] = await Promise.all([database(), kafka()]);
    // The command needs the addresses that the services have.
    process.env['MONGODB_URI'] = db.uri;
    process.env['KAFKA_BROKERS'] = broker.brokers.join(',');
    shared = { ...environment, PARLANCE_MASTER_KEY: randomBytes(32).toString('base64') };
    services = await cluster(shared);
  }, patience(240_000));
  afterAll(async () => {
    await services?.stop();
    for (const [name, value] of [
      ['MONGODB_URI', given.mongo],
      ['KAFKA_BROKERS', given.kafka],
    ] as const)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    await Promise.all([db?.stop(), broker?.stop()]);
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }, patience(60_000));

  it(
    'goes through the running services, and finds the same there',
    async () => {
      const plan = {
        directory: join(directory, 'export'),
        version: 3,
        seed: 51,
        users: 5,
        bots: 4,
        conversations: 100,
        hasImages: true,
      } as const;
      await writeSourceExport(plan);
      const env = {
        ...process.env,
        ...shared,
        PARLANCE_MONGO_URI: db.uri,
        PARLANCE_KAFKA_BROKERS: broker.brokers.join(','),
        PARLANCE_SERVICES: JSON.stringify(services.addresses),
        PARLANCE_LOG_LEVEL: 'warn',
      };
      const node = join(root, 'node_modules/node/bin/node');
      const child = spawn(node, [join(root, 'apps/parlance/dist/main.js'), 'migrate', '--from', plan.directory], { cwd: directory, env });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      const code = await new Promise((resolve) => child.once('close', resolve));
      expect([code, output]).toEqual([0, expect.stringContaining('The product has the same: 100 conversations')]);
    },
    patience(180_000),
  );
});
