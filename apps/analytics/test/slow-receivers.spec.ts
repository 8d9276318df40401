import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { MOST_WEBHOOKS } from '../src/projections/webhooks/webhooks.ts';
import { analytics } from '../src/service.ts';
import { SENT_AT_ONCE } from '../src/workflows/deliveries/webhook-pump.ts';
import { Receiver } from './receiver.ts';

const BUDGET_SET = 'parlance.analytics.budget-set.v1';
const STREAMS = 10;
const EVENTS_OF_A_STREAM = 3;

/** The maximum number of webhooks exist. All but one use an endpoint that accepts connections and never answers. */
describe('webhooks whose receivers never answer', () => {
  const receiver = new Receiver();
  const open = new Set<Socket>();
  let silent: Server;
  let service: ServiceUnderTest;
  const admin = () => service.as('root', 'Admin');
  const create = async (url: string) => {
    const answer = await request(service.server)
      .post('/admin/webhooks')
      .set(admin())
      .send({ url, event_types: [BUDGET_SET] });
    expect(answer.status).toBe(201);
  };

  beforeAll(async () => {
    await receiver.start();
    silent = createServer(() => {});
    silent.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket)).on('error', () => {});
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    service = await serviceUnderTest(analytics, { PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32' });
    const { port } = silent.address() as AddressInfo;
    for (let index = 1; index < MOST_WEBHOOKS; index++) await create(`http://127.0.0.1:${port}/${index}`);
    await create(receiver.url('/good'));
  });
  afterAll(async () => {
    silent.closeAllConnections();
    silent.close();
    await receiver.stop();
  });

  it('delay no event of another webhook, and have a limited number of requests', async () => {
    let most = 0;
    for (let index = 0; index < EVENTS_OF_A_STREAM; index++)
      for (let stream = 0; stream < STREAMS; stream++) {
        const body = { scope: 'group', scope_id: `g${stream}`, period: 'MONTH', limit: index + 1, mode: 'soft' };
        expect((await request(service.server).put('/admin/budgets').set(admin()).send(body)).status).toBe(200);
      }
    await waitFor(
      () => {
        most = Math.max(most, open.size);
        return open.size >= (MOST_WEBHOOKS - 1) * SENT_AT_ONCE;
      },
      { what: 'requests to all silent receivers' },
    );
    const waiting = [...open];
    const body = { scope: 'group', scope_id: 'last', period: 'MONTH', limit: 1, mode: 'soft' };
    await request(service.server).put('/admin/budgets').set(admin()).send(body);
    await receiver.awaits('/good', STREAMS * EVENTS_OF_A_STREAM + 1);
    // All others still wait for the first answers.
    expect(waiting.every((socket) => open.has(socket))).toBe(true);
    expect(most).toBeLessThanOrEqual((MOST_WEBHOOKS - 1) * SENT_AT_ONCE);
  });

  it('are ended when the service stops', async () => {
    const begun = performance.now();
    await service.stop();
    expect(performance.now() - begun).toBeLessThan(10_000);
    await waitFor(() => open.size === 0, { what: 'the end of the requests' });
  });
});
