import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { RepeatErasures } from '../src/policies/repeat-erasures.ts';
import { identityUnderTest, password } from './people.ts';

const MINUTE_MILLIS = 60_000;

describe('the erasure of a user', () => {
  const identity = identityUnderTest();
  const erased: string[] = [];
  /** The services that are away. */
  const away = new Set<string>();

  beforeAll(async () => {
    for (const name of ['bots', 'publication', 'inference', 'analytics']) {
      const service = fastify();
      service.post('/internal/erasures', async (_, reply) => {
        if (away.has(name)) return reply.code(503).send({ status: 503, code: 'service_unavailable', title: 'Away', detail: 'Away.' });
        erased.push(name);
        return { service: name, removed: {} };
      });
      await (await identity).host.local.enter(name, service);
    }
  });
  afterAll(async () => (await identity).stop());

  const erase = async (email: string) => {
    const { asAdmin } = await identity;
    const user = { email, first_name: 'Ben', last_name: 'Baker', password };
    const { body } = await asAdmin('post', '/admin/users', user);
    const receipt = (await asAdmin('delete', `/admin/users/${body.user_id}`)).body;
    return receipt.erased.map(({ service, status }: { service: string; status: string }) => `${service} ${status}`);
  };
  const repeatAfter = async (minutes: number) => {
    const { later, part } = await identity;
    erased.length = 0;
    later(minutes * MINUTE_MILLIS);
    await part(RepeatErasures).repeat();
    return erased.toSorted();
  };

  it('is repeated in all services once, when requests from before it have ended', async () => {
    expect(await erase('one@example.org')).toContain('bots done');
    expect(await repeatAfter(14)).toEqual([]);
    expect(await repeatAfter(2)).toEqual(['analytics', 'bots', 'inference', 'publication']);
    expect(await repeatAfter(60)).toEqual([]);
  });
  it('is repeated until a service that was away has erased the user', async () => {
    away.add('bots');
    expect(await erase('two@example.org')).toContain('bots pending');
    await expect(repeatAfter(16)).rejects.toThrow('erasures could not be repeated');
    expect(erased.toSorted()).toEqual(['analytics', 'inference', 'publication']);
    away.clear();
    expect(await repeatAfter(1)).toEqual(['analytics', 'bots', 'inference', 'publication']);
    expect(await repeatAfter(1)).toEqual([]);
  });
});
