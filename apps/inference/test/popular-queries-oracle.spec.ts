import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Commit, EventStore, newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { type Sealed, Vault } from '@parlance/privacy';
import { waitFor } from '@parlance/testing';
import fc from 'fast-check';
import request from 'supertest';
import { InferenceModule } from '../src/inference.module.ts';
import { inference } from '../src/service.ts';
import { popularAmong, questionsIn } from './popular-queries-oracle.ts';
import { BotsService } from './bots-service.ts';

const DAY = 86_400_000;
const bots = [newId(), newId()];
const questions = ['How do I reset my password?', 'Where is the printer on floor two?', 'What does the canteen offer?', 'Wo ist das Büro?'];

/** Variants of one question. */
const written: readonly ((text: string, place: number) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => ` ${text.replaceAll(' ', '  ')}!!`,
  // A character is missing, or one is there twice.
  (text, place) => text.slice(0, place % text.length) + text.slice((place % text.length) + 1),
  (text, place) => text.slice(0, place % text.length) + text.slice(Math.max(0, (place % text.length) - 1)),
  (text, place) => `${text} In room ${place}?`,
  () => '?! …',
];

const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      what: fc.constant('ask' as const),
      user: fc.nat(2),
      bot: fc.constantFrom(0, 0, 1, null),
      question: fc.nat(questions.length - 1),
      way: fc.nat(written.length - 1),
      place: fc.nat(40),
      isLater: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('delete' as const), index: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('erase' as const), user: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 3 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

describe('the popular queries of bots', () => {
  let service: ServiceUnderTest;
  let store: EventStore;
  let vault: Vault;
  const keys = new KeysOfUsers();
  /** An erased user is followed by another one. */
  const users = ['ann', 'ben', 'cat'];
  let erased = 0;
  const conversations: { id: string; user: string; bot: string | null; last: string }[] = [];
  let daysLater = 0;

  const as = (user: string) => ({
    get: (path: string) => request(service.server).get(path).set(service.as(user, 'team')),
    post: (path: string, body: object) => request(service.server).post(path).set(service.as(user, 'team')).send(body),
    delete: (path: string) => request(service.server).delete(path).set(service.as(user, 'team')),
  });

  async function ask({ user: index, bot: botNth, question, way, place, isLater }: Step & { what: 'ask' }): Promise<void> {
    const [user, bot] = [users[index]!, botNth === null ? null : bots[botNth]!];
    const earlier = isLater ? conversations.findLast((each) => each.user === user && each.bot === bot) : undefined;
    const message = {
      content: [{ content_type: 'text', body: written[way]!(questions[question]!, place) }],
      ...(earlier && { parent_message_id: earlier.last }),
    };
    const sent = await as(user).post('/conversation', {
      ...(earlier && { conversation_id: earlier.id }),
      ...(bot !== null && { bot_id: bot }),
      message,
    });
    expect([sent.status, sent.body.code]).toEqual([202, undefined]);
    const { conversation_id: id, message_id: last } = sent.body;
    await waitFor(async () => (await as(user).get(`/conversation/${id}/${last}`)).status === 200, { what: 'the reply' });
    if (earlier) earlier.last = last;
    else conversations.push({ id, user, bot, last });
  }

  async function take(one: Step): Promise<void> {
    if (one.what === 'ask') return ask(one);
    if (one.what === 'wait') {
      service.later(one.days * DAY);
      daysLater += one.days;
      return;
    }
    if (one.what === 'delete') {
      const [gone] = conversations.splice(one.index % Math.max(1, conversations.length), 1);
      if (gone) expect((await as(gone.user).delete(`/conversation/${gone.id}`)).status).toBeLessThan(300);
      return;
    }
    const user = users[one.user]!;
    await keys.erase(user);
    await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: user }).expect(200);
    conversations.splice(0, Infinity, ...conversations.filter((each) => each.user !== user));
    users[one.user] = `user-${++erased}`;
  }

  async function log(): Promise<readonly Commit[]> {
    const commits: Commit[] = [];
    for (;;) {
      const page = await store.readAll(commits.at(-1)?.position ?? 0, 500);
      if (page.length === 0) return commits;
      commits.push(...page);
    }
  }

  beforeAll(async () => {
    const module = async (host: ServiceUnderTest['host']) => {
      const inner = await InferenceModule.of(host);
      const grab = {
        provide: 'grabbed',
        inject: [EventStore, Vault],
        useFactory: (its: EventStore, other: Vault) => void ([store, vault] = [its, other]),
      };
      return { ...inner, providers: [...inner.providers!, grab] };
    };
    service = await serviceUnderTest({ ...inference, module });
    await keys.enter(service.host);
    const all = new BotsService();
    all.group = 'team';
    await all.enter(service);
  });
  afterAll(() => service.stop());

  it('equal a plain fold over the log, for random histories of questions, deletions and erasures', async () => {
    const query = fc.record({ bot: fc.nat(1), days: fc.integer({ min: 1, max: 8 }), limit: fc.constantFrom(1, 2, 10, 100) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), query, async (steps, { bot, days, limit }) => {
        for (const one of steps) await take(one);
        const all = await questionsIn(await log(), (sealed) => vault.open(sealed as Sealed));
        const since = Date.now() + (daysLater - days) * DAY;
        const texts = all.filter((each) => each.bot === bots[bot] && each.at >= since).map(({ text }) => text);
        const path = `/admin/bots/${bots[bot]}/popular-queries?limit=${limit}&days=${days}`;
        const { body } = await request(service.server).get(path).set(service.as('root', 'Admin'));
        expect(body).toEqual(popularAmong(texts, limit));
      }),
      { numRuns: Number(process.env['ORACLE_RUNS'] ?? 12), endOnFailure: true },
    );
  });
});
