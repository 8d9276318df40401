import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { database, type Database, freePort, kafka, type KafkaBroker, patience, waitFor, watch } from '@parlance/testing';

const main = fileURLToPath(new URL('../../identity/dist/main.js', import.meta.url));
const LONGEST = patience(120_000);

describe('a service that is started before its servers', () => {
  let db: Database;
  let broker: KafkaBroker;
  let service: ChildProcess;
  let ports: { readonly http: number; readonly metrics: number; readonly database: number; readonly broker: number };
  const proxies: Server[] = [];

  /** Makes the server reachable at this port. */
  const openWay = async (port: number, address: string) => {
    const { hostname, port: serverPort } = new URL(address);
    const proxy = createServer((client) => {
      const upstream = connect(Number(serverPort), hostname);
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const)
        one
          .on('error', () => undefined)
          .on('close', () => other.destroy())
          .pipe(other);
    });
    proxy.listen(port, '127.0.0.1');
    await once(proxy, 'listening');
    proxies.push(proxy);
  };
  const start = async () => {
    const answer = await fetch(`http://127.0.0.1:${ports.metrics}/health/start`);
    const { details } = (await answer.json()) as { details: object };
    return { status: answer.status, waitsFor: Object.keys(details) };
  };
  const startIs = (status: number, waitsFor: string[]) =>
    waitFor(
      async () => {
        if (service.exitCode !== null) throw new Error('the service has ended');
        const now = await start().catch(() => null);
        return now?.status === status && now.waitsFor.join() === waitsFor.join();
      },
      { timeout: LONGEST, what: `${status} with ${waitsFor.join() || 'nothing'}` },
    );

  beforeAll(async () => {
    [db, broker] = await Promise.all([database({ isOwn: true }), kafka({ isOwn: true })]);
    ports = { http: await freePort(), metrics: await freePort(), database: await freePort(), broker: await freePort() };
    const uri = new URL(db.uri);
    uri.port = String(ports.database);
    uri.searchParams.set('serverSelectionTimeoutMS', '500');
    const env = {
      ...process.env,
      PARLANCE_PORT: String(ports.http),
      PARLANCE_METRICS_PORT: String(ports.metrics),
      PARLANCE_MONGO_URI: uri.href,
      PARLANCE_KAFKA_BROKERS: `127.0.0.1:${ports.broker}`,
      PARLANCE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      PARLANCE_LOG_LEVEL: 'fatal',
    };
    service = spawn(process.execPath, [main], { env, stdio: 'inherit' });
    watch(service.pid!);
  }, LONGEST);
  afterAll(async () => {
    if (service && service.exitCode === null) {
      service.kill('SIGKILL');
      await once(service, 'exit');
    }
    for (const proxy of proxies) proxy.close();
    await Promise.all([db?.stop(), broker?.stop()]);
  });

  it(
    'waits for the servers, names them, and becomes ready without a restart',
    async () => {
      await startIs(503, ['broker']);
      await openWay(ports.broker, `http://${broker.brokers[0]}`);
      await startIs(503, ['database']);
      await expect(fetch(`http://127.0.0.1:${ports.http}/health/ready`)).rejects.toThrow();
      await openWay(ports.database, db.uri.replace('mongodb:', 'http:'));
      await startIs(200, []);
      await waitFor(async () => (await fetch(`http://127.0.0.1:${ports.http}/health/ready`)).status === 200, {
        timeout: LONGEST,
        what: 'a service that is ready',
      });
    },
    2 * LONGEST,
  );
});
