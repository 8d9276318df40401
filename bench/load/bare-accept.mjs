import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { forkServer } from '../measure/cores.mjs';
import { cpuMicros } from '../measure/process.mjs';
import { closedLoop } from './closed.mjs';
import { message } from './product.mjs';

/** The cost of a bare accept: Fastify and one row by a group commit, on the server's core. */
export async function bareAccept(connections, seconds) {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
  const path = join(directory, 'accepted.db');
  const server = forkServer(fileURLToPath(new URL('../reference/accept-server.mjs', import.meta.url)), [path]);
  try {
    const [{ url }] = await once(server, 'message');
    const marks = [];
    const onMeasure = () => marks.push(cpuMicros(server.pid));
    const headers = { 'content-type': 'application/json' };
    const result = await closedLoop({ url, headers, body: message, connections, expected: 202, ...seconds, onMeasure });
    const db = new DatabaseSync(path, { readOnly: true });
    const { stored } = db.prepare('SELECT count(*) AS stored FROM accepted').get();
    db.close();
    return { ...result, stored, cpu: (marks[1] - marks[0]) / result.measured };
  } finally {
    server.disconnect();
    await once(server, 'exit');
    await rm(directory, { recursive: true });
  }
}
