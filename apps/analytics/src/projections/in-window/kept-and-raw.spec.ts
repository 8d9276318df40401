import { describe, expect, it } from '@jest/globals';
import { firstIdAt } from '@parlance/event-store';
import type { ReadModels } from '@parlance/read-models';
import fc from 'fast-check';
import { storedRows } from '../../../test/stored-rows.ts';
import { windowOfHours } from '../../domain/window.ts';
import { spend } from '../spend.ts';
import { type AmountsOfPayer, KeptFigures, type Payers } from './kept-figures.ts';
import { costsOfAll, FiguresOfSome } from './costs-in-window.ts';
import { SpendInWindow, type SpendingOfWindow } from './spend-in-window.ts';
import { ConversationsOfAll, conversationsOfSome } from './usage-counts.ts';
import { KeptUsersOfBots, usersOfBot } from './users-of-bot.ts';

const HOUR = 3_600_000;
const BEGIN = Date.parse('2026-08-29T00:00:00Z');
/** From the end of August until the beginning of November: two whole months, and days of two others. */
const HOURS = 66 * 24;
const NOW = '2026-11-10T12:00:00.000Z';
const USERS = ['ann', 'ben', 'cid', 'dan'];
const BOTS = ['guide', 'clerk'];
const hourAt = (hour: number) => new Date(BEGIN + hour * HOUR).toISOString().slice(0, 13);

interface Use {
  readonly kind: 'charge' | 'import' | 'correction';
  readonly user: string;
  readonly bot: string | null;
  readonly model: string;
  readonly hour: number;
  /** The day after the first one that its ID contains. */
  readonly conversation: number;
  readonly nano: number;
}

const conversationOf = ({ user, conversation }: Use) =>
  `${firstIdAt(BEGIN + conversation * 24 * HOUR)}${String(USERS.indexOf(user)).padStart(16, '0')}`;

let position = 0;
function changesOf(use: Use) {
  const { kind, user: user_id, bot: bot_id, model, hour, nano } = use;
  const place = { conversation_id: conversationOf(use), user_id, bot_id, model };
  const sequence = `${++position}.0`;
  const usage = { input_tokens: 3, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };
  const event = {
    charge: {
      type: 'parlance.inference.reply-completed.v1',
      time: `${hourAt(hour)}:30:00.000Z`,
      data: { ...place, reply_id: 'r', usage, cost_nano_dollars: nano },
    },
    import: {
      type: 'parlance.inference.conversation-imported.v1',
      time: NOW,
      data: { ...place, import_name: 'i', used_at: `${hourAt(hour)}:10:00.000Z`, cost_nano_dollars: nano, days: [], ratings: [] },
    },
    correction: {
      type: 'parlance.inference.costs-restated.v1',
      time: NOW,
      data: { corrections: [{ hour: hourAt(hour), user_id, bot_id, model, difference_nano_dollars: nano - 5 }] },
    },
  }[kind];
  return spend.changes({ ...event, sequence } as never);
}

/** The figures, computed from each single use. */
class Raw {
  private readonly uses: readonly Use[];

  constructor(all: readonly Use[], from: string, to: string) {
    this.uses = all.filter(({ hour }) => hourAt(hour) >= from && hourAt(hour) <= to);
  }

  figures(scope: Payers): Record<string, AmountsOfPayer> {
    const figures: Record<string, AmountsOfPayer> = {};
    for (const { kind, nano, ...use } of this.uses) {
      const id = use[scope];
      if (id === null) continue;
      const figuresOfId = (figures[id] ??= { nano_dollars: 0, corrections: 0, input_tokens: 0, output_tokens: 0 });
      if (kind === 'correction') figuresOfId.corrections += nano - 5;
      else figuresOfId.nano_dollars += nano;
      if (kind !== 'charge') continue;
      figuresOfId.input_tokens += 3;
      figuresOfId.output_tokens += 2;
    }
    return figures;
  }

  conversations(): Record<string, number> {
    const used = this.uses.filter(({ kind }) => kind !== 'correction');
    const of = (user: string) => new Set(used.filter((use) => use.user === user).map(conversationOf)).size;
    return Object.fromEntries(USERS.map((user) => [user, of(user)]));
  }

  usersByDay(bot: string): Record<string, string[]> {
    const days: Record<string, string[]> = {};
    for (const { kind, user, hour, ...use } of this.uses)
      if (kind !== 'correction' && use.bot === bot) (days[hourAt(hour).slice(0, 10)] ??= []).push(user);
    return Object.fromEntries(Object.entries(days).map(([day, users]) => [day, [...new Set(users)].toSorted()]));
  }
}

/** Read models whose pages have three rows, and arrive some turns of the event loop later. */
function slowly(models: ReadModels, turns: () => number): ReadModels {
  const find: ReadModels['find'] = async (table, query) => {
    for (let turn = turns(); turn > 0; turn--) await new Promise(setImmediate);
    const page = await models.find(table, { ...query, limit: Math.min(3, query.limit) });
    for (let turn = turns(); turn > 0; turn--) await new Promise(setImmediate);
    return page;
  };
  return new Proxy(models, {
    get: (target, name) => {
      if (name === 'find') return find;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

class Memory {
  readonly figures: KeptFigures;
  readonly users: KeptUsersOfBots;

  constructor(most?: number) {
    [this.figures, this.users] = [new KeptFigures(most), new KeptUsersOfBots(most)];
  }
}

/** The handler accepts any injected objects. */
const asked = <Answer>(query: { readonly handler: unknown }, injected: readonly object[], one: object) =>
  new (query.handler as new (...given: readonly object[]) => { execute(asked: object): Promise<Answer> })(...injected).execute(one);

async function answers(models: ReadModels, { figures: kept, users }: Memory, from: string, to: string) {
  const window = windowOfHours(from, to);
  const some = (scope: Payers, ids: readonly string[]) =>
    asked<ReadonlyMap<string, AmountsOfPayer>>(FiguresOfSome, [models, kept], new FiguresOfSome(scope, ids, window));
  const projector = { complete: (_: string, newest: object) => newest };
  const [userCosts, botCosts, userFigures, botFigures, ofAll, ofSome, usersOfBots, summary] = await Promise.all([
    costsOfAll(models, kept, 'user', window),
    costsOfAll(models, kept, 'bot', window),
    some('user', USERS),
    some('bot', BOTS),
    asked<ReadonlyMap<string, number>>(ConversationsOfAll, [models, kept], new ConversationsOfAll(window)),
    conversationsOfSome(models, kept, window, USERS),
    Promise.all(BOTS.map((bot) => usersOfBot(models, users, bot, window))),
    asked<SpendingOfWindow>(SpendInWindow, [models, projector, kept, users], new SpendInWindow(window, 10)),
  ]);
  const counts = (of: ReadonlyMap<string, number>) => Object.fromEntries(USERS.map((user) => [user, of.get(user) ?? 0]));
  const spent = (spenders: SpendingOfWindow['users']) =>
    Object.fromEntries(
      spenders.map(({ id, nano_dollars, corrections = 0, input_tokens, output_tokens }) => [
        id,
        { nano_dollars, corrections, input_tokens, output_tokens },
      ]),
    );
  return {
    userCosts: Object.fromEntries(userCosts),
    botCosts: Object.fromEntries([...botCosts].filter(([id]) => id !== '')),
    userFigures: Object.fromEntries(userFigures),
    botFigures: Object.fromEntries(botFigures),
    ofAll: counts(ofAll),
    ofSome: counts(ofSome),
    usersOfBots: usersOfBots.map((days) => Object.fromEntries(Array.from(days, ([day, its]) => [day, its.toSorted()]))),
    summary: [spent(summary.users), spent(summary.bots)],
    parts: [
      Object.fromEntries(summary.users.map(({ id, parts }) => [id, parts])),
      summary.bots.map(({ id, parts }) => [id, parts]).toSorted(),
    ],
  };
}

function expected(all: readonly Use[], from: string, to: string): Awaited<ReturnType<typeof answers>> {
  const raw = new Raw(all, from, to);
  const [users, bots, conversations] = [raw.figures('user'), raw.figures('bot'), raw.conversations()];
  const costs = (of: Record<string, AmountsOfPayer>) =>
    Object.fromEntries(Object.entries(of).map(([id, { nano_dollars }]) => [id, nano_dollars]));
  const usersOf = (bot: string) => new Set(Object.values(raw.usersByDay(bot)).flat()).size;
  return {
    userCosts: costs(users),
    botCosts: costs(bots),
    userFigures: users,
    botFigures: bots,
    ofAll: conversations,
    ofSome: conversations,
    usersOfBots: BOTS.map((bot) => raw.usersByDay(bot)),
    summary: [users, bots],
    parts: [
      Object.fromEntries(Object.keys(users).map((id) => [id, conversations[id]!])),
      Object.keys(bots)
        .toSorted()
        .map((bot) => [bot, usersOf(bot)]),
    ],
  };
}

describe('figures from memory', () => {
  it('equal the raw charges after random concurrent writes and reads', async () => {
    const use = fc.record<Use>({
      kind: fc.constantFrom('charge', 'charge', 'import', 'correction'),
      user: fc.constantFrom(...USERS),
      bot: fc.constantFrom(...BOTS, null),
      model: fc.constantFrom('large', 'small'),
      hour: fc.nat(HOURS - 1),
      conversation: fc.nat(HOURS / 24 - 1),
      nano: fc.nat(9),
    });
    const end = fc.oneof(
      fc.nat(HOURS - 1),
      // Starts and ends of days and months.
      fc.nat(HOURS / 24 - 1).map((day) => day * 24),
      fc.nat(HOURS / 24 - 1).map((day) => day * 24 + 23),
      fc.constantFrom(3 * 24, 33 * 24 - 1, 33 * 24, 64 * 24 - 1),
    );
    const window = fc.tuple(end, end).map(([a, b]) => [hourAt(Math.min(a, b)), hourAt(Math.max(a, b))] as const);
    const step = fc.record({
      uses: fc.array(use, { minLength: 1, maxLength: 8 }),
      during: fc.array(fc.record({ window, memory: fc.nat(2), wait: fc.nat(30) }), { maxLength: 4 }),
      turns: fc.array(fc.nat(4), { minLength: 1, maxLength: 30 }),
      window,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const rows = await storedRows(spend);
        const memories = [new Memory(), new Memory(4), new Memory(30)];
        const all: Use[] = [{ kind: 'charge', user: 'ann', bot: 'guide', model: 'large', hour: 40, conversation: 1, nano: 1 }];
        // The rows can be read from the first write on.
        await rows.write(all.map(changesOf));
        for (const {
          uses,
          during,
          turns,
          window: [from, to],
        } of steps) {
          let index = 0;
          const models = slowly(rows.models, () => turns[index++ % turns.length]!);
          const reads = [...during, ...during].map(async ({ window: [begin, last], memory, wait }) => {
            for (let turn = wait; turn > 0; turn--) await new Promise(setImmediate);
            await answers(models, memories[memory]!, begin, last);
          });
          for (const one of uses) {
            await rows.write([changesOf(one)]);
            all.push(one);
            for (let turn = turns[0]! * 5; turn > 0; turn--) await new Promise(setImmediate);
          }
          await Promise.all(reads);
          for (const asAsked of [[from, to] as const, ...during.slice(0, 1).map((each) => each.window)])
            for (const memory of memories) expect(await answers(rows.models, memory, ...asAsked)).toEqual(expected(all, ...asAsked));
        }
        await rows.end();
      }),
      { numRuns: Number(process.env['RUNS'] ?? 8), endOnFailure: true },
    );
  });
});
