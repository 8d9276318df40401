import { describe, expect, it } from '@jest/globals';
import type { Story } from './people-story.ts';

const SERVICES = ['identity', 'bots', 'publication', 'inference', 'analytics', 'edge'];

/** The overview of administrators, in every shape of the product. */
export function healthStory(story: () => Story): void {
  const ask = (method: string, path: string, body?: object) =>
    story().ask(method, path, body, { authorization: `Bearer ${story().adminToken}` });

  describe('the health', () => {
    it('lists all services with their replicas, their stores and the broker', async () => {
      const isRight = ({ status }: { status: string }) => status === 'ok';
      const { body } = await story().until(
        'services without lag',
        () => ask('GET', '/admin/health'),
        ({ body: shown }) => shown.services?.every(isRight),
      );
      expect(body.services.map(({ name }: { name: string }) => name)).toEqual(SERVICES);
      for (const { replicas, version, dead_letters } of body.services) {
        expect(dead_letters).toBe(0);
        expect(replicas).toBeGreaterThanOrEqual(1);
        expect(version).toMatch(/^\d+\.\d+/);
      }
      expect(body.broker.status).toBe('up');
      expect(body.stores.map(({ service, status }: { service: string; status: string }) => [service, status])).toEqual(
        [...SERVICES, 'bots', 'inference', 'analytics'].map((name) => [name, 'up']),
      );
    });

    it('lists no dead letters if there are none, and a redrive delivers none', async () => {
      expect((await ask('GET', '/admin/health/dead-letters?service=bots')).body).toEqual({
        service: 'bots',
        total: 0,
        dead_letters: [],
        next_token: null,
      });
      const { status, body } = await ask('POST', '/admin/health/dead-letters/redrive', { service: 'bots' });
      expect([status, body]).toEqual([202, { service: 'bots', redriven: 0 }]);
      await story().until(
        'its entry',
        () => ask('GET', '/admin/audit-logs?action_type=redrive_dead_letters'),
        ({ body: { audit_logs: entries } }) => entries?.length === 1,
      );
    });
  });
}
