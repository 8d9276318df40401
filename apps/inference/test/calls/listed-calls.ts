import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { CallSums } from '../../src/workflows/calls/call-sums.ts';
import { RecordedCalls } from '../../src/workflows/calls/recorded-calls.ts';
import type { CallsWorld } from './calls-world.ts';
import { json } from './mock-provider.ts';

const DAY_MILLIS = 86_400_000;

interface Listed {
  readonly calls: readonly { readonly call_id: string; readonly token_id: string; readonly [field: string]: unknown }[];
  readonly next_token: string | null;
}

export function listedCalls(start: () => CallsWorld): void {
  describe('the list of calls', () => {
    let world: CallsWorld;
    const user = newId();
    const [reports, chats] = [newId(), newId()];
    /** IDs of the calls of each token, the newest first. */
    const made = new Map<string, string[]>([
      [reports, []],
      [chats, []],
    ]);
    const own = () => world.service.as(user);
    const listed = async (path: string, headers = own()) => {
      const answer = await world.ask(path, headers);
      expect(answer.status).toBe(200);
      return JSON.parse(answer.text) as Listed;
    };
    const idsOf = ({ calls }: Listed) => calls.map(({ call_id }) => call_id);

    beforeAll(async () => {
      world = start();
      world.provider.respond = (res, { body }) =>
        body.includes('refuse') ? json(res, 400, {}) : json(res, 200, { usage: { prompt_tokens: 10, completion_tokens: 2 } });
      const call = async (tokenId: string, body: object, terms: object = {}) => {
        const headers = world.service.asModelsToken(tokenId, user, terms);
        const answer = await world.ask('model' in body ? '/v1/chat/completions' : '/v1/embeddings', headers, { model: 'vectors', ...body });
        made.get(tokenId)!.unshift(String(answer.headers['x-parlance-call']));
      };
      for (let index = 0; index < 5; index++)
        await call(reports, { model: 'gpt' }, { cost_centre: 'sales', tags: { app: 'a', env: 'b:c' } });
      await call(chats, { model: 'gpt', user: 'refuse' });
      await call(chats, { input: 'x' });
    });

    it("has a user's own calls, the newest of a token first", async () => {
      const all = await listed('/user/me/calls');
      expect(all.next_token).toBeNull();
      for (const [token, ids] of made)
        expect(all.calls.filter(({ token_id }) => token_id === token).map(({ call_id }) => call_id)).toEqual(ids);
      expect(all.calls.find(({ call_id }) => call_id === made.get(reports)![0])).toEqual({
        call_id: made.get(reports)![0],
        create_time: expect.any(Number),
        user_id: user,
        token_id: reports,
        endpoint: 'chat/completions',
        model: 'gpt',
        route: null,
        tries: 1,
        status: 'completed',
        http_status: 200,
        cached: false,
        cost: 0.000_014,
        input_tokens: 10,
        output_tokens: 2,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        estimated: false,
        web_searches: 0,
        unpriced: [],
        cost_centre: 'sales',
        tags: { app: 'a', env: 'b:c' },
        policies: [],
        first_byte_ms: expect.any(Number),
        duration_ms: expect.any(Number),
      });
      expect((await listed('/user/me/calls', world.service.as(newId()))).calls).toEqual([]);
    });
    it('has only the calls of the token that asks', async () => {
      const asChats = world.service.asModelsToken(chats, user);
      expect(idsOf(await listed('/user/me/calls', asChats))).toEqual(made.get(chats));
      expect(idsOf(await listed(`/user/me/calls?token=${chats}`, asChats))).toEqual(made.get(chats));
      expect(idsOf(await listed(`/user/me/calls?token=${reports}`, asChats))).toEqual([]);
      const { next_token } = await listed('/user/me/calls?limit=2');
      expect((await world.ask(`/user/me/calls?limit=2&next_token=${next_token}`, asChats)).status).toBe(400);
    });
    it('has full pages, each call once', async () => {
      const ids: string[] = [];
      for (let token: string | null = ''; token !== null;) {
        const page = await listed(`/user/me/calls?limit=2${token && `&next_token=${token}`}`);
        ids.push(...idsOf(page));
        token = page.next_token;
        if (token !== null) expect(page.calls).toHaveLength(2);
      }
      expect(ids).toEqual(idsOf(await listed('/user/me/calls')));
      expect(ids).toHaveLength(7);
    });
    it.each([
      ['token=TOKEN', 5],
      ['model=vectors', 1],
      ['status=refused', 1],
      ['cost_centre=sales', 5],
      ['tag=app', 5],
      ['tag=env:b:c', 5],
      ['tag=app:b', 0],
      ['model=gpt&status=completed', 5],
      ['start=2026010100&end=2026010200', 0],
    ])('has the calls with %s', async (filter, count) => {
      expect((await listed(`/user/me/calls?${filter.replace('TOKEN', reports)}`)).calls).toHaveLength(count);
    });
    it('has the calls of all users for administrators, and is a table on request', async () => {
      const admin = world.service.as('root', 'Admin');
      expect(idsOf(await listed(`/admin/calls?user=${user}`, admin))).toHaveLength(7);
      const { text } = await world.ask(`/admin/calls?user=${user}&limit=2`, { ...admin, accept: 'text/csv' });
      expect(text.trim().split('\n')).toHaveLength(8);
      expect((await world.ask('/admin/calls', own())).status).toBe(403);
    });
    it('of a user is a table on request', async () => {
      const { text } = await world.ask('/user/me/calls?status=refused', { ...own(), accept: 'text/csv' });
      expect(text.trim().split('\r\n')).toEqual([expect.stringMatching(/^call_id,/), expect.stringMatching(/,refused,400,false,0,/)]);
    });
    it.each([
      ['', { calls: 7, input_tokens: 60, output_tokens: 12, cost: 0.000_084 }],
      ['token=TOKEN', { calls: 5, input_tokens: 50, output_tokens: 10, cost: 0.000_07 }],
      ['status=refused', { calls: 1, input_tokens: 0, output_tokens: 0, cost: 0 }],
      ['tag=env:b:c&model=gpt', { calls: 5, input_tokens: 50, output_tokens: 10, cost: 0.000_07 }],
      ['start=2026010100&end=2026010200', { calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 }],
    ])('is summed up with the filter "%s"', async (filter, sums) => {
      const summary = async (path: string, headers = own()) =>
        JSON.parse((await world.ask(`${path}${filter.replace('TOKEN', reports)}`, headers)).text) as object;
      const expected = {
        ...sums,
        daily: sums.calls === 0 ? [] : [{ ...sums, date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }],
        included_from: null,
        as_of: expect.any(Object),
      };
      expect(await summary('/user/me/calls/summary?')).toEqual(expected);
      expect(await summary(`/admin/calls/summary?user=${user}&`, world.service.as('root', 'Admin'))).toEqual(expected);
      expect((await world.ask('/admin/calls/summary', own())).status).toBe(403);
    });
    it('is summed up by a token for its own calls alone', async () => {
      const asChats = world.service.asModelsToken(chats, user);
      for (const [filter, calls] of [
        ['', 2],
        [`?token=${chats}`, 2],
        [`?token=${reports}`, 0],
      ] as const)
        expect(JSON.parse((await world.ask(`/user/me/calls/summary${filter}`, asChats)).text)).toMatchObject({ calls });
    });
    it('is summed up without the hour in which there are too many', async () => {
      const sums = world.service.part(CallSums);
      const filter = { userId: user, tokenId: null, model: null, costCentre: null, tag: null, status: null };
      const kept = { ...filter, ...world.service.part(RecordedCalls).kept };
      expect((await sums.of(kept)).from).toBeNull();
      for (const each of [kept, { ...kept, model: 'gpt' }]) {
        const { total, days, from } = await sums.of(each, { pages: 1, items: 1 });
        expect([total.calls, days, from]).toEqual([0, [], expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d$/)]);
      }
    });
    it('is beside the models that tokens may call, with their endpoints and prices', async () => {
      const { text } = await world.ask('/user/me/models', own());
      const { models } = JSON.parse(text) as { models: readonly { id: string; endpoints: readonly string[]; price: unknown }[] };
      expect(models.map(({ id, endpoints, price }) => [id, endpoints.slice(0, 2), price])).toEqual(
        expect.arrayContaining([
          [
            'gpt',
            expect.arrayContaining(['chat/completions']),
            { input: 1, output: 2, cache_read: 0.1, cache_write: 1, cache_write_1h: 1 },
          ],
          ['claude', ['chat/completions', 'messages'], expect.any(Object)],
          ['vectors', ['embeddings'], expect.any(Object)],
          ['local-extractive', ['chat/completions', 'messages'], null],
        ]),
      );
      expect(models.map(({ id }) => id)).not.toContain('minilm');
    });
    it('is beside the policies of the configuration, for administrators', async () => {
      const { text } = await world.ask('/admin/guardrails', world.service.as('root', 'Admin'));
      expect(JSON.parse(text)).toEqual({
        policies: [
          { id: 'projects', apply_to: ['published'], stage: 'output', action: 'block', detectors: ['words'], words: 1, phone_regions: [] },
        ],
      });
      expect((await world.ask('/admin/guardrails', own())).status).toBe(403);
    });
    it.each(['start=2026010100', 'start=2026010200&end=2026010100', 'status=new', 'next_token=x', 'start=1&end=2', 'limit=0'])(
      'is refused with %s',
      async (query) => expect((await world.ask(`/user/me/calls?${query}`, own())).status).toBe(400),
    );
    it('loses calls after the days of retention', async () => {
      const calls = world.service.part(RecordedCalls);
      const { from } = calls.kept;
      world.service.later(89 * DAY_MILLIS);
      await calls.removeOld();
      expect((await listed('/user/me/calls')).calls).toHaveLength(7);
      world.service.later(3 * DAY_MILLIS);
      await calls.removeOld();
      const everything = { userId: user, tokenId: null, model: null, costCentre: null, tag: null, status: null, from, to: '9' };
      await waitFor(async () => (await calls.page(everything, 10, null)).calls.length === 0, { what: 'the removal' });
    });
  });
}
