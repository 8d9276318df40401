import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { loadConfig } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { EventStore } from '@parlance/event-store';
import { RequestContext } from '@parlance/observability';
import { freePort, waitFor } from '@parlance/testing';
import { FoundationModule } from '../wiring/foundation.module.ts';
import { type Host, openHost } from './host.ts';
import { startService } from './service.ts';

@Module({})
class Working {}

describe('a process with metrics and a trace collector', () => {
  const spans: string[] = [];
  const collector = createServer(async (request, response) => {
    spans.push((await request.toArray()).join(''));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  let directory: string;
  let host: Host;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-telemetry-'));
    await once(collector.listen(0, '127.0.0.1'), 'listening');
    const env = {
      PARLANCE_DATA_DIR: directory,
      PARLANCE_LOG_LEVEL: 'fatal',
      PARLANCE_METRICS_PORT: String(await freePort()),
      PARLANCE_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    };
    host = await openHost(loadConfig({ argv: [], env, cwd: directory }), false);
  });
  afterAll(async () => {
    collector.closeAllConnections();
    collector.close();
    await rm(directory, { recursive: true });
  });

  it('reports an empty backlog when all events were sent, and sends its last spans when it ends', async () => {
    const parts = { name: 'bots', projections: [], publish: () => [] };
    const module = async (its: Host) => ({ module: Working, imports: [await FoundationModule.of(its, parts)] });
    const { app } = await startService({ name: 'bots', module, handlers: () => [] }, host);
    const store = app.get(EventStore);
    for (let n = 1; n <= 3; n++)
      await RequestContext.run(RequestContext.background(), () =>
        store.append({
          stream: `s-${n}`,
          expected: 0,
          events: [{ type: 'Counted' }],
          metadata: RequestContext.metadata(Instant.ofMillis(Date.now())),
        }),
      );
    const shown = async () => (await fetch(`http://127.0.0.1:${host.metrics.port}/metrics`)).text();
    await waitFor(async () => (await shown()).includes('parlance_relay_lag_events{service="bots"} 0\n'), { what: 'the end of the log' });
    host.traces.for('bots').begin('the last span').end();
    await host.shutdown.run();
    expect(spans.join('')).toContain('the last span');
  });
});
