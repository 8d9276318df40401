import { afterAll, expect, it } from '@jest/globals';
import { serviceUnderTest } from '@parlance/foundation/harness';
import request from 'supertest';
import { inference } from '../src/service.ts';

const servers = { docs: { url: 'https://docs.example.org/mcp' }, off: { url: 'https://off.example.org/mcp', enabled: false } };

const service = await serviceUnderTest(inference, { PARLANCE_MCP_SERVERS: JSON.stringify(servers) });
afterAll(() => service.stop());

const offers = (headers: Record<string, string>) => request(service.server).get('/internal/offers').set(headers);

it('services learn what bots may name, without calls to the tool servers', async () => {
  const { body } = await offers(service.asService('bots'));
  expect(body).toMatchObject({
    models: expect.arrayContaining(['local-extractive']),
    tools: expect.arrayContaining(['calculator']),
    tool_servers: ['docs'],
  });
});
it('users are not answered', async () => expect((await offers(service.as('root', 'Admin'))).status).toBe(404));
