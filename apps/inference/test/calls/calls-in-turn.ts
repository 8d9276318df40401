import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { type CallsWorld, errorOf } from './calls-world.ts';
import { json } from './mock-provider.ts';

export function callsInTurn(start: () => CallsWorld): void {
  describe('a call of a model whose provider makes as many calls as allowed', () => {
    let world: CallsWorld;
    const answered = Promise.withResolvers<void>();
    beforeEach(() => {
      world = start();
      world.provider.requests.length = 0;
      world.provider.respond = async (res) => {
        await answered.promise;
        json(res, 200, { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } });
      };
    });

    it('is refused after a time, is free, and may be repeated later', async () => {
      const first = world.chat(world.caller().headers, { model: 'narrow', messages: [] });
      await waitFor(() => world.provider.requests.length === 1, { what: 'the first call' });
      const who = world.caller();
      const answer = await world.chat(who.headers, { model: 'narrow', messages: [] });
      expect([errorOf(answer), answer.headers['retry-after'], answer.headers['x-should-retry']]).toEqual([
        [503, 'queue_timed_out'],
        '5',
        'true',
      ]);
      expect(await world.recordOf(who)).toMatchObject([{ status: 'failed', cost_nano_dollars: 0 }]);
      expect(world.provider.requests).toHaveLength(1);
      answered.resolve();
      expect((await first).status).toBe(200);
      expect((await world.chat(who.headers, { model: 'narrow', messages: [] })).status).toBe(200);
    });
  });
}
