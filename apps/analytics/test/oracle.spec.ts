import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { type Publisher, topicOf } from '@parlance/messaging';
import { patience, waitFor } from '@parlance/testing';
import { fastify } from 'fastify';
import fc from 'fast-check';
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import request from 'supertest';
import { analytics } from '../src/service.ts';
import { Oracle, satisfactionOf, sortedKeys } from './oracle.ts';
import { enterPeople, person } from './other-services.ts';
import { at, bots, correctionOf, DAYS, eventOf, HOUR, type Step, step, users } from './random-histories.ts';
import { enterTitles } from './titles.ts';

type Question = readonly [what: string, ask: () => Promise<unknown>, answer: () => unknown];

const monthBefore = (month: string) => new Date(Date.parse(`${month}-01`) - 24 * HOUR).toISOString().slice(0, 7);
const hourAt = (millis: number) => new Date(millis).toISOString().slice(0, 13);
/** The same number of hours directly before, or the month before a whole month. */
function hoursBefore(from: string, to: string): readonly [string, string] {
  const [first, last] = [from, to].map((hour) => Date.parse(`${hour}:00Z`)) as [number, number];
  const isWholeMonth = from.endsWith('-01T00') && hourAt(last + HOUR).endsWith('-01T00') && from.slice(0, 7) === to.slice(0, 7);
  return isWholeMonth
    ? [`${monthBefore(from.slice(0, 7))}-01T00`, hourAt(first - HOUR)]
    : [hourAt(2 * first - last - HOUR), hourAt(first - HOUR)];
}

describe('the figures for administrators', () => {
  let service: ServiceUnderTest;
  let publisher: Publisher;
  const oracle = new Oracle();
  const get = async (path: string, user = 'root') => {
    const { status, body } = await request(service.server).get(path).set(service.as(user, 'Admin'));
    expect([path, status, body.code]).toEqual([path, 200, undefined]);
    return body;
  };

  async function publish(steps: readonly Step[]): Promise<void> {
    const messages = steps.flatMap((one) => {
      const charges = oracle.events.filter(({ data }) => data.cost_nano_dollars !== undefined);
      const raw = one.what === 'costs-restated' && charges.length > 0 ? correctionOf(charges, one) : eventOf(one);
      oracle.events.push(raw);
      const about = {
        specversion: '1.0',
        id: newId(),
        source: `/${raw.type.split('.')[1]}`,
        datacontenttype: 'application/json',
        actor: 'a',
        actorip: null,
      };
      const event = { ...about, ...raw, sequence: `${oracle.events.length}.0` } as never;
      const message = { topic: topicOf(raw.type as `parlance.${string}`), key: raw.subject, event };
      return one.isRepeated ? [message, message] : [message];
    });
    // All events are published in one write, because each question of a history needs a write too.
    await publisher.send(messages);
  }

  /** The ID to sort entries by, because users and bots of equal cost come in any order. */
  const idOf = (entry: Record<string, unknown>) => String(entry['api_key_id'] ?? entry['user_id'] ?? entry['bot_id'] ?? entry['id']);
  const byId = (entries: readonly Record<string, unknown>[]) => entries.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));

  /** Each question, answered by the service and by the oracle. */
  function questions(from: string, to: string): Question[] {
    const [hours, seconds] = [
      [from, to].map((hour) => hour.replaceAll(/[-T]/g, '')),
      [from, to].map((hour) => Date.parse(`${hour}:00:00Z`) / 1_000),
    ];
    const [firstDay, lastDay] = [from.slice(0, 10), to.slice(0, 10)];
    const months = [at(DAYS * 24).slice(0, 7), at(0).slice(0, 7)] as const;
    const summaryOf = (path: string) => async () => {
      const { as_of: _, currency: __, period: ___, projected_total_cost: ____, ...rest } = await get(path);
      return { ...rest, top_users: byId(rest.top_users), top_bots: byId(rest.top_bots), by_key: byId(rest.by_key) };
    };
    const earlierAmountsOf = (path: string) => async () => {
      const { top_users, top_bots, by_key } = await get(`${path}&compare=true`);
      return Object.fromEntries([...top_users, ...top_bots, ...by_key].map(({ before, ...entry }) => [idOf(entry), before]));
    };
    const usersOf = (path: string) => async () =>
      byId((await get(path)).users).map(({ user_id, total_price, as_corrected, input_tokens, output_tokens, conversation_count }) => {
        return { user_id, total_price, as_corrected, input_tokens, output_tokens, conversation_count };
      });
    const listed = (begin: string, end: string) =>
      oracle
        .summary(begin, end)
        .top_users.map(({ email: _, by_model: __, by_model_as_corrected: ___, as_billed: ____, total_cost: total_price, ...rest }) => ({
          ...rest,
          total_price,
        }));
    return [
      ...months.map(
        (month) => [`summary of ${month}`, summaryOf(`/admin/costs/summary?period=${month}`), () => oracle.summary(month, month)] as const,
      ),
      [
        'summary of hours',
        summaryOf(`/admin/costs/summary?start_time=${seconds[0]}&end_time=${seconds[1]}`),
        () => oracle.summary(from, to),
      ],
      [
        'the amounts before a month',
        earlierAmountsOf(`/admin/costs/summary?period=${months[1]}`),
        () => oracle.earlierAmounts([months[1], months[1]], [monthBefore(months[1]), monthBefore(months[1])]),
      ],
      [
        'the amounts before hours',
        earlierAmountsOf(`/admin/costs/summary?start_time=${seconds[0]}&end_time=${seconds[1]}`),
        () => oracle.earlierAmounts([from, to], hoursBefore(from, to)),
      ],
      ['users of a month', usersOf('/admin/users'), () => listed(months[1], months[1])],
      ['users of hours', usersOf(`/admin/users?start=${hours[0]}&end=${hours[1]}`), () => listed(from, to)],
      [
        'public bots',
        async () =>
          byId((await get(`/admin/public-bots?start=${hours[0]}&end=${hours[1]}`)).bots).map(({ id, total_price, as_corrected }) => [
            id,
            total_price,
            as_corrected,
          ]),
        () => oracle.summary(from, to).top_bots.map(({ bot_id, total_cost, as_corrected }) => [bot_id, total_cost, as_corrected]),
      ],
      ...users.map((user) => {
        const ask = async () => {
          const {
            as_of: _,
            currency: __,
            user_id: ___,
            email: ____,
            conversation_count: _____,
            ...costs
          } = await get(`/admin/costs/users/${user}?start_period=${months[0]}&end_period=${months[1]}`);
          return costs;
        };
        const charges = () => oracle.charges(months[0], months[1], { user });
        return [
          `costs of ${user}`,
          ask,
          () => ({ ...oracle.sums(charges()), periods: oracle.periods('conversation_count', charges()) }),
        ] as const;
      }),
      ...users.map((user) => {
        const ask = async () => {
          const {
            as_of: _,
            period: __,
            currency: ___,
            by_bot: ____,
            budget: _____,
            ...costs
          } = await get(`/user/me/usage?start_time=${seconds[0]}&end_time=${seconds[1]}`, user);
          return costs;
        };
        const charges = () => oracle.charges(from, to, { user });
        const expected = () => {
          const { by_model_as_corrected: _, ...sums } = oracle.sums(charges());
          return { ...sums, by_key: oracle.byKey(charges()), daily: oracle.daily(charges()) };
        };
        return [`own usage of ${user}`, ask, expected] as const;
      }),
      ...bots.map((bot) => {
        const ask = async () => (await get(`/admin/costs/bots/${bot}?start_period=${months[0]}&end_period=${months[1]}`)).periods;
        return [`costs of ${bot}`, ask, () => oracle.periods('user_count', oracle.charges(months[0], months[1], { bot }))] as const;
      }),
      ...bots.map((bot) => {
        const ask = async () => {
          const {
            as_of: _,
            currency: __,
            daily,
            ...rest
          } = await get(`/admin/bots/${bot}/analytics?start_date=${firstDay}&end_date=${lastDay}`);
          return { ...rest, days: daily.length, first: daily[0] };
        };
        const entry = (begin: string, end: string) => {
          const charges = oracle.charges(begin, end, { bot });
          const satisfaction = satisfactionOf(oracle.ratings(bot, begin, end));
          return {
            queries: oracle.countOfType('message-submitted.v1', bot, begin, end),
            unique_users: oracle.users(charges),
            cost: oracle.cost(charges),
            as_corrected: oracle.corrected(charges),
            satisfaction,
          };
        };
        const expected = () => {
          const { queries, unique_users, cost, as_corrected, satisfaction } = entry(firstDay, lastDay);
          const first = entry(firstDay, firstDay);
          return {
            bot_id: bot,
            total_queries: queries,
            unique_users,
            average_satisfaction: satisfaction,
            total_cost: cost,
            as_billed: cost,
            as_corrected,
            days: (Date.parse(lastDay) - Date.parse(firstDay)) / (24 * HOUR) + 1,
            first: {
              date: firstDay,
              query_count: first.queries,
              unique_users: first.unique_users,
              cost: first.cost,
              as_corrected: first.as_corrected,
              satisfaction: first.satisfaction,
            },
          };
        };
        return [`analytics of ${bot}`, ask, expected] as const;
      }),
      ...bots.map((bot) => {
        const ask = async () => {
          const { as_of: _, comments, ...rest } = await get(`/admin/bots/${bot}/satisfaction?days=${DAYS + 1}`);
          type Comment = { readonly message_id: string };
          return { ...rest, comments: comments.toSorted((a: Comment, b: Comment) => (a.message_id < b.message_id ? -1 : 1)) };
        };
        const [first, last] = [at(DAYS * 24).slice(0, 10), at(0).slice(0, 10)];
        return [`satisfaction with ${bot}`, ask, () => oracle.satisfaction(bot, first, last)] as const;
      }),
      [
        'published bots',
        async () => {
          const answer = await get('/admin/published-bots');
          return byId(answer.bots).map(({ id, endpoint, published_datetime, request_count }) => {
            return { id, path: new URL(String(endpoint)).pathname, published_datetime, request_count };
          });
        },
        () => oracle.published(),
      ],
    ];
  }

  /** All questions run concurrently, so that their audit entries share appends. */
  async function agrees([what, ask, answer]: Question): Promise<void> {
    const expected = answer();
    const wanted = sortedKeys(expected);
    let found: unknown;
    const isEqual = async () => isDeepStrictEqual(sortedKeys((found = await ask())), wanted);
    await waitFor(isEqual, { what, timeout: patience(20_000) }).catch(() => undefined);
    expect([what, found]).toEqual([what, expected]);
  }

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    publisher = await service.host.broker.publisher('test.inference');
    // The server listens once, because otherwise each request would open a port.
    service.server.listen(0, '127.0.0.1');
    await once(service.server, 'listening');
    await enterTitles(service.host, {}, bots);
    const inference = fastify();
    inference.post<{ Body: { replies: readonly string[] } }>('/internal/feedback/comments', async ({ body: { replies } }) => ({
      comments: Object.fromEntries(replies.map((place) => [place, `On ${place.split('/')[1]}.`])),
    }));
    await service.host.local.enter('inference', inference);
    await enterPeople(
      service.host,
      users.map((id) => person(id)),
    );
    for (const bot_id of bots)
      await service.hear('parlance.bots.bot-created.v1', `bot-${bot_id}`, { bot_id, owner_user_id: 'ann' }, bot_id);
    for (const user_id of users)
      await service.hear('parlance.identity.user-registered.v1', `user-${user_id}`, { user_id, email: null }, user_id);
  });
  afterAll(async () => {
    await publisher.close();
    await service.stop();
  });

  it('equal a plain fold over all events, for random histories and windows', async () => {
    const window = fc
      .tuple(fc.nat(DAYS * 24), fc.nat(DAYS * 24))
      .map(([a, b]) => [at(Math.max(a, b)), at(Math.min(a, b))].map((time) => time.slice(0, 13)));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), window, async (steps, [from, to]) => {
        await publish(steps);
        await Promise.all(questions(from!, to!).map(agrees));
      }),
      { numRuns: Number(process.env['ORACLE_RUNS'] ?? 12), endOnFailure: true },
    );
  });
  it('add up over users, over models and over days to the total', async () => {
    const { total_cost, by_model, daily, top_users } = await get(`/admin/costs/summary?period=${at(0).slice(0, 7)}`);
    const nano = (amounts: readonly number[]) => amounts.reduce((sum, dollars) => sum + Math.round(dollars * 1e9), 0);
    const total = nano([total_cost]);
    expect(nano(Object.values(by_model as Record<string, number>))).toBe(total);
    expect(nano(daily.map(({ cost }: { cost: number }) => cost))).toBe(total);
    expect(nano(top_users.map((user: { total_cost: number }) => user.total_cost))).toBe(total);
  });
});
