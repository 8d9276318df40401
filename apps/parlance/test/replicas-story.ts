import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Cluster } from '@parlance/testing';
import { waitFor } from '@parlance/testing';
import { heldPages, TAKEN_OVER_WITHIN } from './sync-takeover.ts';
import type { Story } from './people-story.ts';
import { Hammering } from './hammering.ts';

const password = 'correct horse battery';

/** Settings in addition to `deployment.ts`: all requests of the test come through a trusted proxy. */
export const behindAProxy = {
  PARLANCE_TRUSTED_PROXIES: '127.0.0.1/32',
  PARLANCE_ALLOWED_IP_V4_ADDRESS_RANGES: '127.0.0.1/32,192.0.2.0/24',
};

async function send(edge: string, method: string, path: string, token: string, more: { body?: object; from?: string } = {}) {
  const answer = await fetch(`${edge}${path}`, {
    method,
    headers: {
      'user-agent': 'story/1',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(more.body && { 'content-type': 'application/json' }),
      ...(more.from && { 'x-forwarded-for': more.from }),
    },
    ...(more.body && { body: JSON.stringify(more.body) }),
  });
  const text = await answer.text();
  // The answers have no types, because the test checks their fields.
  const body: any = text === '' ? null : JSON.parse(text); // oxlint-disable-line no-explicit-any
  return { status: answer.status, body };
}
const signIn = async (edge: string, email: string) =>
  (await send(edge, 'POST', '/auth/sign-in', '', { body: { email, password } })).body.access_token as string;
const signOut = async (edge: string, token: string) => expect((await send(edge, 'POST', '/auth/sign-out', token)).status).toBe(204);
const edgesOf = (story: () => Story) => ({
  edges: () => story().product.urls,
  first: () => story().product.urls[0] as string,
  second: () => story().product.urls[1] as string,
});

/** Tests with two edges, each of which may answer a request or be paused. */
export function bothEdgesStory(story: () => Story, cluster: () => Cluster): void {
  const { edges, first, second } = edgesOf(story);

  describe('both edges', () => {
    const roving = 'roving@example.org';
    beforeAll(async () => {
      const body = { email: roving, password, first_name: 'Ro', last_name: 'Ving' };
      expect((await send(first(), 'POST', '/auth/sign-up', '', { body })).status).toBe(201);
    });

    it('serve no file to an address that they did not sign, and leave uploads to the object store', async () => {
      for (const edge of edges()) {
        const download = await send(edge, 'GET', '/files/a?expires=4000000000&signature=x', '');
        expect([download.status, download.body.code]).toEqual([403, 'signature_invalid']);
        const upload = await send(edge, 'PUT', '/files/a?expires=4000000000&signature=x', '');
        expect([upload.status, upload.body.code]).toEqual([403, 'signature_invalid']);
      }
    });
    it.each([
      ['the address of the proxy itself', undefined, 200],
      ['one in the allowed range', '192.0.2.7', 200],
      ['that one, mapped into IPv6', '::ffff:192.0.2.7', 200],
      ['one in it after one that is not', '198.51.100.1, 192.0.2.7', 200],
      ['one outside', '198.51.100.1', 403],
      ['that one, mapped into IPv6', '::ffff:198.51.100.1', 403],
      ['one outside the range that claims to forward for one inside', '192.0.2.7, 198.51.100.1', 403],
      ['one outside the range behind two proxies', '198.51.100.1, 127.0.0.1', 403],
      ['the first address after the range', '192.0.3.0', 403],
      ['an IPv6 address', '2001:db8::1', 403],
    ])('decide alike about %s (%s)', async (_, from, status) => {
      for (const edge of edges()) {
        const answer = await send(edge, 'GET', '/user/me', story().adminToken, { ...(from && { from }) });
        expect([answer.status, answer.body.code]).toEqual([status, status === 403 ? 'address_not_allowed' : undefined]);
        expect((await send(edge, 'GET', '/health/live', '', { ...(from && { from }) })).status).toBe(200);
      }
    });

    it('refuse all requests of a session after its sign-out is answered, also with many concurrent requests', async () => {
      for (let round = 0; round < 12; round++) {
        const token = await signIn(edges()[round % 2] as string, roving);
        const hammering = new Hammering(edges(), token);
        await hammering.until(5);
        await signOut(edges()[(round >> 1) % 2] as string, token);
        const lateRequests = hammering.fromNow();
        await lateRequests.until(10);
        await hammering.stop();
        expect([...lateRequests.statuses]).toEqual([401]);
      }
    });

    it.each([
      ['first', first, second],
      ['second', second, first],
    ])('refuse all requests of the session if the %s was paused and continues', async (which, paused, awake) => {
      const { pid } = cluster().servers.get(`edge-${which === 'first' ? 1 : 2}`)!;
      const [token, another] = [await signIn(awake(), roving), await signIn(awake(), roving)];
      expect((await send(paused(), 'GET', '/user/me', token)).status).toBe(200);
      process.kill(pid!, 'SIGSTOP');
      const resume = () => process.kill(pid!, 'SIGCONT');
      try {
        // The sign-out is answered while the other edge is paused, because the lease of that edge expires.
        await signOut(awake(), token);
        const hammering = new Hammering(edges(), token);
        await hammering.until(10, [awake()]);
        resume();
        await hammering.until(20);
        await hammering.stop();
        expect([...hammering.statuses]).toEqual([401]);
      } finally {
        resume();
      }
      // Sign-outs do not wait for an edge whose lease has expired. After the edge is back, they must wait for it again.
      expect((await send(paused(), 'GET', '/user/me', another)).status).toBe(200);
      await signOut(awake(), another);
      expect((await send(paused(), 'GET', '/user/me', another)).status).toBe(401);
    });
  });
}

export function killedBotsReplicaStory(story: () => Story, cluster: () => Cluster): void {
  const { first, second } = edgesOf(story);

  describe('a killed replica of bots', () => {
    it(
      'leaves its runs to the other replica',
      async () => {
        const token = story().adminToken;
        const site = await heldPages();
        const replica = cluster().servers.get('bots-1')!;
        // Each replica works on two runs at once, so two of the four runs are in the killed replica.
        const ids = ['A', 'B', 'C', 'D'].map((letter) => `01K0KN0W1EDGE000000000000${letter}`);
        try {
          for (const id of ids) {
            const body = { id, title: 'Lights', knowledge: { source_urls: [site.urlOf(`/${id}`)] } };
            expect((await send(first(), 'POST', '/bot', token, { body })).status).toBe(201);
          }
          await site.requested(ids.length);
          await replica.kill();
          site.release();
          for (const id of ids) {
            const run = () => send(second(), 'GET', `/bot/${id}/knowledge/sync`, token);
            await waitFor(async () => (await run()).body.sync_status === 'SUCCEEDED', {
              what: 'the run to end',
              timeout: TAKEN_OVER_WITHIN,
            });
            const { body } = await send(first(), 'POST', `/bot/${id}/knowledge/search`, token, { body: { query: 'lighthouse' } });
            expect(body.results.map(({ source }: { source: string }) => source)).toEqual([site.urlOf(`/${id}`)]);
          }
        } finally {
          await replica.restart();
          await site.stop();
        }
      },
      4 * TAKEN_OVER_WITHIN,
    );
  });
}

/** Kills and restarts each of the named replicas of identity. */
export function killedIdentityStory(story: () => Story, cluster: () => Cluster, names: readonly string[]): void {
  const { edges, first, second } = edgesOf(story);

  describe('a killed identity', () => {
    const users: string[] = [];

    beforeAll(async () => {
      for (let n = 0; n < 5; n++) {
        const body = { email: `member-${n}@example.org`, password, first_name: 'Mem', last_name: 'Ber' };
        users.push((await send(second(), 'POST', '/admin/users', story().adminToken, { body })).body.user_id);
      }
    });

    it.each(names)('(%s) fails no request that can be repeated', async (name) => {
      const token = story().adminToken;
      const tokenOfUser = await signIn(first(), 'member-0@example.org');
      const groups = Array.from({ length: 5 }, (_, n) => `${name}-${n}`);
      const making = groups.map((group) => send(first(), 'POST', '/admin/groups', token, { body: { name: group } }));
      expect((await Promise.all(making)).map(({ status }) => status)).toEqual(groups.map(() => 201));
      const puts = users.flatMap((user) => groups.map((group) => `/admin/users/${user}/groups/${group}`));
      const gets = Array.from({ length: 4 }, () => ['GET', '/user/me', tokenOfUser] as const);
      const requests = puts.flatMap((path) => [['PUT', path, token] as const, ...gets]);
      const replica = cluster().servers.get(name)!;
      const failures: string[] = [];
      let killing: Promise<void> | undefined;
      let sent = 0;
      const ask = async () => {
        for (let n = sent++; n < requests.length; n = sent++) {
          if (n === 30) killing = replica.kill();
          const [method, path, bearer] = requests[n]!;
          const { status, body } = await send(edges()[(n >> 2) % 2] as string, method, path, bearer);
          if (status !== 200) failures.push(`${method} ${path}: ${status} ${body?.code}`);
        }
      };
      try {
        await Promise.all(Array.from({ length: 8 }, ask));
        await killing;
        expect(failures).toEqual([]);
        for (const user of users) {
          const { body } = await send(first(), 'GET', `/admin/users/${user}`, token);
          expect(body.groups).toEqual(expect.arrayContaining(groups));
        }
        for (const edge of edges()) {
          const mine = await signIn(edge, 'member-0@example.org');
          expect((await send(edge, 'GET', '/user/me', mine)).status).toBe(200);
          await signOut(edge, mine);
          for (const each of edges()) expect((await send(each, 'GET', '/user/me', mine)).status).toBe(401);
        }
      } finally {
        await replica.restart();
      }
    });
  });
}
