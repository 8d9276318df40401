// A cluster for one scenario.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skip } from '../suite.mjs';
import { admin, signedIn } from './cluster-client.mjs';

/** Servers that are not services. The object store keeps its objects in memory. */
export const SHARED = ['database', 'kafka', 's3'];

/** Starts a cluster in one directory, so that a stopped process can be started again, and stops it after the work. Skips the scenario if a server is missing. */
export async function withCluster(name, environment, work, mainOf) {
  const { cluster, missing, waitFor } = await import('@parlance/testing');
  const lacking = missing('kafka') ?? missing('mongo') ?? missing('s3');
  if (lacking) return skip(name, lacking);
  const directory = await mkdtemp(join(tmpdir(), 'parlance-cluster-'));
  let running;
  try {
    const usual = {
      PARLANCE_ADMIN_EMAIL: admin.email,
      PARLANCE_ADMIN_PASSWORD: admin.password,
      PARLANCE_LOG_LEVEL: 'warn',
      PARLANCE_REQUESTS_PER_MINUTE: '0',
    };
    running = await cluster({ ...usual, ...environment }, { directory }, undefined, mainOf?.(directory));
    const clients = [];
    for (const url of running.urls) clients.push(await signedIn(url));
    const services = [...running.servers].filter(([each]) => !SHARED.includes(each)).map(([, server]) => server);
    await work({ running, clients, services, directory, waitFor });
  } finally {
    await running?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}
