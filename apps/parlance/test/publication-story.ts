import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Story } from './people-story.ts';

const password = 'correct horse battery';
/** The number of pairs of concurrent requests. Half of the pairs have the other order. */
const RACES = 40;
const AT_ONCE = 10;

/** Publishing bots and their API keys, in every shape of the product. */
export function publicationsStory(story: () => Story): void {
  const as = (token: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    story().ask(method, path, body, { authorization: `Bearer ${token}`, ...headers });
  const user = async (name: string, ...groups: string[]) => {
    const email = `${name}@example.org`;
    await as(story().adminToken, 'POST', '/admin/users', { email, first_name: 'Ida', last_name: 'Noor', groups, password });
    return (await story().ask('POST', '/auth/sign-in', { email, password }, { authorization: '' })).body.access_token as string;
  };

  describe('publications', () => {
    let owner: string;
    let other: string;

    const publicBot = async () => {
      const { body } = await as(owner, 'POST', '/bot', { title: 'Lantern' });
      await as(owner, 'PATCH', `/bot/${body.id}/visibility`, { target_shared_scope: 'all' });
      return body.id as string;
    };
    const publish = (botId: string, token = owner) => as(token, 'POST', `/bot/${botId}/publication`, { allowed_origins: ['*'] });
    const unshare = (botId: string) => as(owner, 'PATCH', `/bot/${botId}/visibility`, { target_shared_scope: 'private' });
    const settled = async (botId: string) => {
      let found = await as(owner, 'GET', `/bot/${botId}/publication`);
      const isOver = async () => {
        found = await as(owner, 'GET', `/bot/${botId}/publication`);
        return found.body.codebuild_status !== 'IN_PROGRESS';
      };
      await waitFor(isOver, { what: 'the deployment to end' });
      return found;
    };

    beforeAll(async () => {
      owner = await user('publisher', 'CreatingBotAllowed', 'PublishAllowed');
      other = await user('another-publisher', 'PublishAllowed');
    });

    it('prevent changes to the sharing of the bot, and are visible only to their owner and administrators', async () => {
      const botId = await publicBot();
      expect((await publish(botId, other)).body.code).toBe('not_owner');
      expect((await publish(botId)).status).toBe(202);
      const { body } = await settled(botId);
      expect([body.codebuild_status, body.endpoint]).toEqual(['SUCCEEDED', expect.stringMatching(/\/published\/[0-9a-z]{26}\/api$/)]);
      for (let n = 0; n <= story().product.urls.length; n++) {
        expect((await as(owner, 'GET', `/bot/${botId}`)).body.is_publication).toBe(true);
        expect((await as(story().adminToken, 'GET', `/bot/${botId}/publication`)).body).toEqual(body);
        expect((await as(other, 'GET', `/bot/${botId}/publication`)).status).toBe(404);
      }
      expect([(await unshare(botId)).body.code, (await as(owner, 'DELETE', `/bot/${botId}`)).body.code]).toEqual([
        'bot_published',
        'bot_published',
      ]);
      expect((await as(owner, 'DELETE', `/bot/${botId}/publication`)).status).toBe(204);
      expect((await unshare(botId)).status).toBe(200);
    });
    it('have API keys whose values are shown once, even when the request is repeated', async () => {
      const botId = await publicBot();
      await publish(botId);
      await settled(botId);
      const keys = `/bot/${botId}/publication/api-key`;
      const create = () => as(owner, 'POST', keys, { description: 'Pier' }, { 'idempotency-key': `pier-${botId}` });
      const [first, second] = [await create(), await create()];
      expect([first.status, first.body.value]).toEqual([201, expect.stringMatching(/^prl_[0-9a-z]{85}$/)]);
      expect([second.status, second.body.id]).toEqual([201, first.body.id]);
      expect(second.body.value).not.toBe(first.body.value);
      expect((await as(owner, 'GET', keys)).body.api_keys).toEqual([{ ...first.body, value: expect.stringContaining('…') }]);
      expect((await as(owner, 'DELETE', `${keys}/${first.body.id}`)).status).toBe(204);
      expect((await as(owner, 'GET', `${keys}/${first.body.id}`)).status).toBe(404);
    });
    it(`have exactly one outcome in ${RACES} races with un-sharing`, async () => {
      for (let done = 0; done < RACES; done += AT_ONCE) {
        const bots = await Promise.all(Array.from({ length: AT_ONCE }, publicBot));
        const outcomes = await Promise.all(
          bots.map(async (botId, index) => {
            const race = [() => publish(botId), () => unshare(botId)];
            if (index % 2 === 1) race.reverse();
            const answers = await Promise.all(race.map((start) => start()));
            if (index % 2 === 1) answers.reverse();
            const { status, body } = await settled(botId);
            const { shared_scope, is_publication } = (await as(owner, 'GET', `/bot/${botId}`)).body;
            const codes = answers.map((answer) => answer.body.code ?? answer.status);
            return [...codes, status === 404 ? body.code : body.codebuild_status, shared_scope, is_publication];
          }),
        );
        for (const outcome of outcomes)
          expect([
            [202, 'bot_published', 'SUCCEEDED', 'all', true],
            ['bot_not_public', 200, 'not_published', 'private', false],
          ]).toContainEqual(outcome);
      }
    });
    it('are removed with their erased owner', async () => {
      const { body: found } = await as(story().adminToken, 'GET', '/user/search?prefix=publisher@');
      const { body } = await as(story().adminToken, 'DELETE', `/admin/users/${found.users[0].user_id}`);
      const receipt = body.erased.find(({ service }: { service: string }) => service === 'publication');
      expect(receipt.removed.publications).toBeGreaterThan(0);
    });
  });
}
