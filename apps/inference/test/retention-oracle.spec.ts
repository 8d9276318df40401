import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import fc from 'fast-check';
import { ExecuteConversation } from '../src/commands/aggregates.ts';
import { MessagesLeft } from '../src/projections/content-of-user.ts';
import { MessageById } from '../src/projections/messages/message-by-id.ts';
import { firstApi, type Place, PublishedWorld } from './published/published-world.ts';

const DAYS = 86_400_000;
const BOT = firstApi.botId;
const OTHER_BOT = '01K0000000000000000000000C';

interface Written {
  readonly place: Place;
  readonly userId: string;
  readonly botId: string | null;
  readonly isOfApi: boolean;
  readonly isTemporary: boolean;
  day: number;
}

describe('rounds of retention rules', () => {
  const world = new PublishedWorld();
  const { buses } = world.inner;
  const written: Written[] = [];
  let day = 0;

  const admin = (method: 'get' | 'post' | 'delete', path: string, body?: object) => world.asAdmin(method, `/admin/retention${path}`, body);
  const left = async ({ conversation_id }: Place) => (await buses.queries.execute(new MessagesLeft(conversation_id))).length;
  const hasReply = async ({ conversation_id, message_id }: Place) =>
    (await buses.queries.execute(new MessageById(conversation_id, message_id))) !== null;
  const text = { message: { content: [{ content_type: 'text', body: 'Why marmalade?' }] } };
  const talk = async (userId: string, botId: string | null, more: object = {}): Promise<Written> => {
    world.bots.owner = userId;
    const { status, body } = await world.own('post', '/conversation', { ...text, ...(botId && { bot_id: botId }), ...more }, userId);
    expect([status, body]).toEqual([202, expect.objectContaining({ conversation_id: expect.any(String) })]);
    await waitFor(() => hasReply(body), { what: 'the message' });
    const each = { place: body as Place, userId, botId, isOfApi: false, isTemporary: 'temporary' in more, day };
    written.push(each);
    return each;
  };
  const pass = (days: number) => {
    day += days;
    world.service.later(days * DAYS);
  };
  const withRules = async (rules: readonly object[], work: (ids: readonly string[]) => Promise<void>): Promise<string[]> => {
    const ids: string[] = [];
    for (const rule of rules) ids.push((await admin('post', '', rule)).body.id as string);
    await work(ids);
    for (const id of ids) expect((await admin('delete', `/${id}`)).status).toBe(204);
    return ids;
  };
  const deletedOf = ({ conversation_id }: Place) =>
    world.published.filter(
      ({ type, data }) => type.endsWith('conversation-deleted.v1') && (data as Place).conversation_id === conversation_id,
    );

  beforeAll(() => world.open());
  afterAll(() => world.service.stop());

  it('delete exactly the conversations to which rules apply', async () => {
    const rule = fc
      .record({
        inactive_days: fc.integer({ min: 1, max: 6 }),
        enabled: fc.boolean(),
        scope: fc.constantFrom<object>(
          { applies_to: 'all' },
          { applies_to: 'bot', bot_id: BOT },
          { applies_to: 'bot', bot_id: OTHER_BOT },
          { applies_to: 'group', group: 'Interns' },
          { applies_to: 'group', group: 'Nobody' },
        ),
      })
      .map(({ scope, ...terms }) => ({ ...terms, ...scope }) as Terms);
    interface Terms {
      readonly inactive_days: number;
      readonly enabled: boolean;
      readonly applies_to: string;
      readonly bot_id?: string;
      readonly group?: string;
    }
    const step = fc.record({
      days: fc.integer({ min: 0, max: 3 }),
      userId: fc.constantFrom('ann', 'ben', 'cid'),
      botId: fc.constantFrom(null, BOT, OTHER_BOT),
      how: fc.constantFrom('own', 'api', 'temporary'),
      isIntern: fc.boolean(),
    });
    const names = (terms: Terms, each: Written): boolean => {
      if (!terms.enabled || day - each.day < terms.inactive_days) return false;
      if (terms.applies_to === 'bot') return each.botId === terms.bot_id;
      const groups = world.bots.groups.get(each.userId) ?? [];
      return terms.applies_to === 'all' || (!each.isOfApi && groups.includes(terms.group!));
    };
    const gone = new Set<Written>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 6 }),
        fc.array(rule, { maxLength: 3 }),
        fc.integer({ min: 0, max: 4 }),
        async (steps, rules, days) => {
          for (const { days: between, userId, botId, how, isIntern } of steps) {
            pass(between);
            world.bots.groups.set(userId, isIntern ? ['Interns'] : []);
            if (how === 'api') {
              world.bots.owner = 'ann';
              // A reply that ends later makes the conversation active on a later day.
              const place = await world.say('Why?');
              written.push({ place, userId: 'ann', botId: BOT, isOfApi: true, isTemporary: false, day });
            } else await talk(userId, botId, how === 'temporary' ? { temporary: true } : {});
          }
          pass(days);
          await withRules(rules, async (ids) => {
            const there = await Promise.all(written.map(async (each) => ((await left(each.place)) > 0 ? [each] : [])));
            for (const [index, id] of ids.entries()) {
              const { status, body } = await admin('get', `/${id}/preview`);
              const named = there.flat().filter((each) => names({ ...rules[index]!, enabled: true }, each));
              // A temporary conversation may be deleted between the two checks.
              const most = named.length;
              const least = named.filter(({ isTemporary }) => !isTemporary).length;
              expect([status, body]).toEqual([
                200,
                { rule_id: id, conversations: expect.any(Number), responses: 0, exports: 0, uploads: 0, is_complete: true },
              ]);
              expect(body.conversations).toBeGreaterThanOrEqual(least);
              expect(body.conversations).toBeLessThanOrEqual(most);
            }
            await buses.rounds.deleteInactive();
          });
          for (const each of written) if (rules.some((terms) => names(terms, each))) gone.add(each);
          for (const each of written) {
            if (gone.has(each)) await waitFor(async () => (await left(each.place)) === 0, { what: 'the end of the deletion' });
            // A temporary conversation expires in any case.
            else if ((await left(each.place)) === 0)
              await waitFor(() => deletedOf(each.place).some(({ data }) => (data as { because: string }).because === 'deleted'), {
                what: 'the public event of a deletion that no rule has decided',
              });
          }
        },
      ),
      { numRuns: 20 },
    );
    for (const each of gone) await waitFor(() => deletedOf(each.place).length > 0, { what: 'the public event' });
    for (const each of gone) expect(deletedOf(each.place)).toHaveLength(1);
  });

  it('keep a conversation with a message at the same time', async () => {
    for (let index = 0; index < 8; index++) {
      const { place, userId } = await talk('eve', null);
      pass(5);
      await withRules([{ inactive_days: 4, applies_to: 'all', enabled: true }], async () => {
        const message = { ...text, conversation_id: place.conversation_id };
        const [answer] = await Promise.all([world.own('post', '/conversation', message, userId), buses.rounds.deleteInactive()]);
        expect([answer.status, await left(place)]).toEqual(answer.status === 202 ? [202, 4] : [409, 0]);
      });
    }
  });

  it('delete nothing for a group while its members are unknown, and apply other rules', async () => {
    world.bots.groups.set('fay', ['Interns']);
    const [ofGroup, ofBot] = [await talk('fay', null), await talk('gil', OTHER_BOT)];
    pass(10);
    const rules = [
      { inactive_days: 3, applies_to: 'group', group: 'Interns', enabled: true },
      { inactive_days: 3, applies_to: 'bot', bot_id: OTHER_BOT, enabled: true },
    ];
    await withRules(rules, async () => {
      world.bots.isIdentityAway = true;
      await expect(buses.rounds.deleteInactive()).rejects.toThrow('1 conversations, messages or rules could not be handled');
      expect([await left(ofGroup.place), await left(ofBot.place)]).toEqual([2, 0]);
      world.bots.isIdentityAway = false;
      await buses.rounds.deleteInactive();
      expect(await left(ofGroup.place)).toBe(0);
    });
  });

  it('delete nothing by a rule that was removed during the round', async () => {
    const [first, second] = [await talk('ida', BOT), await talk('jan', OTHER_BOT)];
    pass(10);
    const terms = { inactive_days: 3, applies_to: 'bot', enabled: true };
    const ids: string[] = [];
    for (const bot_id of [BOT, OTHER_BOT]) ids.push((await admin('post', '', { ...terms, bot_id })).body.id as string);
    const order = ids.toSorted().map((id) => (id === ids[0] ? first : second));
    const [earlier, later] = [ids.toSorted()[0]!, ids.toSorted()[1]!];
    const removal = (buses.rounds as unknown as { removal: { expireBy(...its: unknown[]): Promise<void> } }).removal;
    const { expireBy } = removal;
    removal.expireBy = async (...its) => {
      expect((await admin('delete', `/${later}`)).status).toBeLessThan(500);
      return expireBy.apply(removal, its);
    };
    try {
      await buses.rounds.deleteInactive();
    } finally {
      removal.expireBy = expireBy;
    }
    expect([await left(order[0]!.place), await left(order[1]!.place)]).toEqual([0, 2]);
    expect((await admin('delete', `/${earlier}`)).status).toBe(204);
  });

  it('finish the work of a crashed process, once', async () => {
    const { place } = await talk('hal', null);
    const lastMessageId = place.message_id;
    await buses.commands.execute(new ExecuteConversation(place.conversation_id, { type: 'Expire', lastMessageId, ruleId: 'rule' }));
    await buses.rounds.deleteInactive();
    expect(await left(place)).toBe(2);
    pass(1);
    await waitFor(async () => (await left(place)) === 0, { what: 'the end of the deletion' });
    await waitFor(() => deletedOf(place).length > 0, { what: 'the public event' });
    expect(deletedOf(place).map(({ data }) => data)).toEqual([expect.objectContaining({ because: 'retention', rule_id: 'rule' })]);
  });
});
