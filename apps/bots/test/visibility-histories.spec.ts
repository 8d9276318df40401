import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Refusal } from '@parlance/decider';
import { Erasing } from '@parlance/foundation';
import fc from 'fast-check';
import { ExecuteBot } from '../src/commands/aggregates.ts';
import { BotDeletion } from '../src/commands/bot-deletion.ts';
import { BotWriter } from '../src/commands/bot-writer.ts';
import type { BotCommand } from '../src/domain/bot.ts';
import { DEFAULT_SETTINGS } from '../src/domain/configuration.ts';
import type { Person } from '../src/domain/sharing.ts';
import { ForgetGroupWhenGroupDeleted } from '../src/policies/forget-group-when-group-deleted.ts';
import { BotList, type ListKind } from '../src/projections/bots/bot-lists.ts';
import { WholeBot } from '../src/projections/bots/bot-queries.ts';
import { Store, type StorePage } from '../src/projections/store.ts';
import { BotsUnderTest } from './bots-under-test.ts';
import { BOTS, type Cast, freshIds, hasUsed, type Ids, Model, type Step, steps } from './visibility-model.ts';

const HISTORIES = 1_000;
/** The number of histories that run their steps together: a person must not find the bots of another history either. */
const TOGETHER = 5;
describe('after any history of changes', () => {
  let bots: BotsUnderTest;
  let unused: Ids[];
  beforeAll(async () => {
    bots = await BotsUnderTest.start();
    // All uses are published at once, because uses may arrive before their bots.
    unused = Array.from({ length: HISTORIES }, freshIds);
    const now = Date.now();
    await bots.use(
      ...unused.flatMap(({ people, bots: ids }) =>
        people
          .filter((_, index) => hasUsed(index))
          .flatMap((userId) => ids.map((botId, index) => ({ userId, botId, at: new Date(now - (BOTS - index) * 1000) }))),
      ),
    );
  });
  afterAll(() => bots.stop());

  const root: Person = { userId: 'root', groups: ['Admin'] };

  /** Executes a command. Returns whether it was accepted. */
  async function execute(id: string, command: BotCommand): Promise<boolean> {
    return bots.app
      .get(CommandBus)
      .execute(new ExecuteBot(id, command))
      .then(() => true, refused);
  }
  const refused = (error: unknown): false => {
    if (error instanceof Refusal) return false;
    throw error;
  };

  async function carryOut(step: Step, cast: Cast, model: Model): Promise<void> {
    switch (step.type) {
      case 'share': {
        const bot = cast.bots[step.bot]!;
        const isPrivate = step.scope === 'private';
        const users = isPrivate ? [] : step.users.map((index) => cast.people[index]!.userId);
        const groups = isPrivate ? [] : step.groups.map((index) => cast.groups[index]!);
        const sharing = { scope: step.scope, userIds: users, groupIds: groups };
        if (await execute(bot.id, { type: 'Share', by: { userId: bot.owner, groups: [] }, sharing }))
          Object.assign(bot, { scope: step.scope, users, groups });
        break;
      }
      case 'change groups':
        cast.people[step.person]!.groups = [...step.groups.map((index) => cast.groups[index]!), ...(step.isAdmin ? ['Admin'] : [])];
        break;
      case 'delete': {
        const bot = cast.bots[step.bot]!;
        const by: Person = { userId: bot.owner, groups: [] };
        if (
          await bots.app
            .get(BotDeletion, { strict: false })
            .delete(bot.id, by, {})
            .then(() => true, refused)
        )
          bot.isGone = true;
        break;
      }
      case 'pin':
        if (await execute(cast.bots[step.bot]!.id, { type: 'Pin', by: root, order: step.order })) cast.bots[step.bot]!.pin = step.order;
        break;
      case 'unpin':
        if (await execute(cast.bots[step.bot]!.id, { type: 'Unpin', by: root })) cast.bots[step.bot]!.pin = null;
        break;
      case 'delete group':
        await bots.app.get(ForgetGroupWhenGroupDeleted, { strict: false }).on({ data: { group: cast.groups[step.group]! } } as never);
        model.forget(cast.groups[step.group]!);
        break;
      case 'erase':
        await erase(cast.people[step.person]!.userId, model);
    }
  }

  async function erase(userId: string, model: Model): Promise<void> {
    await bots.app.get(Erasing, { strict: false }).erase(userId);
    model.forget(userId);
  }

  async function found(person: Person, model: Model): Promise<ReturnType<Model['expected']>> {
    const [queries, store] = [bots.app.get(QueryBus), bots.app.get(Store, { strict: false })];
    const list = async (kind: ListKind) => {
      return (await queries.execute(new BotList({ person, kind, limit: 100, after: null }))).bots.map(({ row }) => row.id);
    };
    const page = async (reading: Promise<StorePage<unknown>>) => (await reading).bots.map(({ row }) => row.id);
    // All requests are sent at once, which is faster: one update of the store's index serves all of them.
    const [own, shared, mixed, search, popular, pickup, pinned, wholes] = await Promise.all([
      list('private'),
      list('shared'),
      list('mixed'),
      page(store.search(person, 'guide', 100, null)),
      page(store.popular(person, 100, null)),
      page(store.pickup(person, 100, null)),
      page(store.pinned(person, 100, null)),
      Promise.all(model.bots.map(({ id }) => queries.execute(new WholeBot(id, person)))),
    ]);
    const seen = wholes.flatMap((whole) => (whole ? [whole.row.id] : []));
    // Other specs test the orders of search, popular and pickup.
    return { private: own, shared, mixed, search: search.sort(), popular: popular.sort(), pickup: pickup.sort(), pinned, seen };
  }

  async function requireModel(model: Model): Promise<void> {
    const people = model.casts.flatMap((cast) => cast.people.map((person, index) => ({ cast, person, nth: index })));
    const all = await Promise.all(people.map(({ person }) => found(person, model)));
    const expected = people.map(({ cast, nth: index }) => model.expected(cast, index));
    // `expect` is slow for results of this size.
    if (!isDeepStrictEqual(all, expected)) expect(all).toEqual(expected);
  }

  it('each person finds exactly the bots that they may see, in every list and in the store', async () => {
    const texts = { title: 'Guide', description: '', instruction: '', quickStarters: '', knowledge: '', blockedText: '' };
    const writer = bots.app.get(BotWriter, { strict: false });
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: TOGETHER, maxLength: TOGETHER }), async (histories) => {
        const model = new Model(unused.splice(0, TOGETHER));
        await Promise.all(model.bots.map(({ id, owner }) => writer.create(id, owner, texts, DEFAULT_SETTINGS)));
        try {
          for (let index = 0; histories.some((history) => index < history.length); index++) {
            await Promise.all(
              histories.map(async (history, member) => {
                const step = history[index];
                if (step) await carryOut(step, model.casts[member]!, model);
              }),
            );
            await requireModel(model);
          }
        } finally {
          // The next histories must not find the public bots of these.
          await Promise.all(model.casts.flatMap(({ people }) => [0, 1].map((owner) => erase(people[owner]!.userId, model))));
        }
        await requireModel(model);
      }),
      // Histories are short, and shrinking would need further IDs with uses.
      { numRuns: HISTORIES / TOGETHER, endOnFailure: true },
    );
  });
});
