import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { fastify } from 'fastify';
import request from 'supertest';
import { analytics } from '../src/service.ts';

describe('figures of a subject that analytics does not know', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    // It answers nothing.
    await service.host.local.enter('identity', fastify());
  });
  afterAll(() => service.stop());

  it.each(['costs/users/ID', 'costs/bots/ID', 'bots/ID/analytics', 'bots/ID/satisfaction'])(
    'are unavailable while the service that may know it is unavailable: %s',
    async (path) => {
      const { status, body, headers } = await request(service.server)
        .get(`/admin/${path.replace('ID', newId())}`)
        .set(service.as('root', 'Admin'));
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'service_unavailable', '5']);
    },
  );
});
