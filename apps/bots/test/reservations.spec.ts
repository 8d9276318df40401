import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { BotsUnderTest } from './bots-under-test.ts';

/** Pairs of requests that race. */
const RACES = 200;
const AT_ONCE = 20;

describe('reserving a bot for a publication, over HTTP', () => {
  let bots: BotsUnderTest;
  beforeAll(async () => {
    bots = await BotsUnderTest.start();
  });
  afterAll(() => bots.stop());

  const publicBot = async (body: object = {}) => {
    const { id } = await bots.create('ann', body);
    await bots.share('ann', id, 'all');
    return id;
  };
  const call = async (id: string, step: string, number = 1, headers = bots.onBehalfOf('ann')) => {
    const { status, body } = await bots.ask('POST', `/internal/bots/${id}/reservation${step}`, headers, { number });
    return status === 204 ? 'done' : (body.code as string);
  };
  const codeOf = async (method: string, path: string, body?: object) => {
    const answer = await bots.ask(method, path, bots.creator('ann'), body);
    return answer.status < 300 ? 'done' : (answer.body.code as string);
  };
  const unshare = (id: string) => codeOf('PATCH', `/bot/${id}/visibility`, { target_shared_scope: 'private' });
  const find = async (id: string) => (await bots.get(`/bot/${id}`, bots.creator('ann'))).body;

  it('reserves the bot until it is released, and shows it as published after the success', async () => {
    const id = await publicBot();
    expect(await call(id, '')).toBe('done');
    expect([await unshare(id), await codeOf('DELETE', `/bot/${id}`), (await find(id)).is_publication]).toEqual([
      'bot_published',
      'bot_published',
      false,
    ]);
    expect(await call(id, '/complete')).toBe('done');
    expect((await find(id)).is_publication).toBe(true);
    expect([await call(id, '/release'), await call(id, '/release')]).toEqual(['done', 'done']);
    expect([(await find(id)).is_publication, await unshare(id)]).toEqual([false, 'done']);
  });
  it('reveals the owner of a bot only to its owner and to administrators', async () => {
    const id = await publicBot();
    const hidden = (await bots.create('ann')).id;
    const owner = async (botId: string, user: string, ...groups: string[]) => {
      const { body } = await bots.get(`/internal/bots/${botId}/owner`, bots.onBehalfOf(user, ...groups));
      return body.owner_user_id ?? body.code;
    };
    expect([await owner(id, 'ann'), await owner(id, 'root', 'Admin'), await owner(id, 'ben')]).toEqual(['ann', 'ann', 'not_owner']);
    expect([await owner(hidden, 'ben'), await owner(hidden, 'root', 'Admin')]).toEqual(['bot_not_found', 'bot_not_found']);
  });
  it('is not a route for clients', async () => {
    const answer = await bots.ask('POST', `/internal/bots/${newId()}/reservation`, bots.creator('ann'), { number: 1 });
    expect([answer.status, answer.body.code]).toEqual([404, 'no_such_route']);
  });
  it('refuses a bot whose knowledge was not read, and releases it', async () => {
    const id = await publicBot({ knowledge: { filenames: ['never-uploaded.txt'] } });
    expect(await call(id, '')).toBe('sync_not_succeeded');
    await call(id, '/release');
    expect(await unshare(id)).toBe('done');
  });

  const rivals: Readonly<Record<string, (id: string) => Promise<string>>> = {
    'un-sharing': unshare,
    deletion: (id) => codeOf('DELETE', `/bot/${id}`),
    'a second publication': (id) => call(id, '', 2),
  };
  it.each(Object.keys(rivals))(`has exactly one outcome in ${RACES} races with %s`, async (rival) => {
    const wins = { reservation: 0, rival: 0 };
    for (let done = 0; done < RACES; done += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, index) => {
          const id = await publicBot();
          const race = [() => call(id, ''), () => rivals[rival]!(id)];
          if (index % 2 === 1) race.reverse();
          const outcomes = await Promise.all(race.map((one) => one()));
          if (index % 2 === 1) outcomes.reverse();
          expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
          if (outcomes[0] === 'done') wins.reservation++;
          else wins.rival++;
          const expected =
            outcomes[0] === 'done'
              ? ['done', expect.stringMatching(/^(bot|already)_published|publication_is_over$/)]
              : [expect.stringMatching(/^bot_not_(public|found)|already_published|publication_is_over$/), 'done'];
          expect(outcomes).toEqual(expected);
        }),
      );
    }
    expect(wins.reservation + wins.rival).toBe(RACES);
  });
  it(`never reserves a bot whose knowledge was not read, in ${RACES} races with a change of it`, async () => {
    for (let done = 0; done < RACES; done += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, index) => {
          const id = await publicBot();
          const change = () => codeOf('PATCH', `/bot/${id}`, { knowledge: { filenames: ['never-uploaded.txt'] } });
          const race = [() => call(id, ''), change];
          if (index % 2 === 1) race.reverse();
          const outcomes = (await Promise.all(race.map((one) => one()))).sort();
          expect([
            ['deployment_in_progress', 'done'],
            ['done', 'sync_not_succeeded'],
          ]).toContainEqual(outcomes);
        }),
      );
    }
  });
});
