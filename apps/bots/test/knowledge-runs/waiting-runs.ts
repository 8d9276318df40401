import { describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { webSite } from '../knowledge-under-test.ts';
import type { RunsUnderTest } from './runs-under-test.ts';

export function waitingRuns(runs: RunsUnderTest): void {
  const { bots, knowledge } = runs;

  describe('runs that wait', () => {
    it('of other users do not wait for all slow sources of one user', async () => {
      const [slow, dan, eve] = [newId(), newId(), newId()];
      const held = new Map<string, () => void>();
      const site = await webSite((request, response) => {
        if (request.url === '/robots.txt') return response.writeHead(404).end();
        held.set(request.url!, () => response.writeHead(200, { 'content-type': 'text/plain' }).end('The lighthouse is lit at dusk.'));
      });
      const botOf = async (owner: string, path: string) => {
        const id = newId();
        await bots.create(owner, { id, knowledge: { source_urls: [site.url + path] } });
        return id;
      };
      try {
        const all: string[] = [];
        for (let index = 0; index < 6; index++) all.push(await botOf(slow, `/slow-${index}`));
        await waitFor(async () => held.size === 2, { what: 'two of the runs to begin' });
        await botOf(dan, '/dan');
        await waitFor(async () => held.has('/dan'), { what: 'the run of another user to begin' });
        const last = await botOf(eve, '/eve');
        held.get('/dan')!();
        await waitFor(async () => held.has('/eve'), { what: 'the run of a third user to begin' });
        held.get('/eve')!();
        expect((await knowledge.settled(eve, last)).sync_status).toBe('SUCCEEDED');
        // The user with the slow sources has two runs, started in the order of their requests.
        expect([...held.keys()].sort()).toEqual(['/dan', '/eve', '/slow-0', '/slow-1']);
        for (const id of all) await bots.ask('DELETE', `/bot/${id}`, bots.service.as(slow));
      } finally {
        await site.stop();
      }
    });
  });
}
