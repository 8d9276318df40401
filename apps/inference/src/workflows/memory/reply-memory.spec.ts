import { describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import { countTokens } from '@parlance/chat-models';
import type { Config } from '@parlance/config';
import type { Streams } from '@parlance/foundation';
import type { Vault } from '@parlance/privacy';
import { MEMORY_TOKENS } from '../../domain/memory/memory-limits.ts';
import { MemoriesOf } from '../../projections/memory/memories.ts';
import { type MemoryUse, ReplyMemory } from './reply-memory.ts';

interface Case {
  readonly isOn?: boolean;
  readonly isAllowed?: boolean;
  readonly apiId?: string;
  readonly use?: MemoryUse | 'of the stream';
  readonly bot?: { readonly ownerId: string | null; readonly configuredBy?: string | null; readonly memory: boolean | null } | null;
  readonly texts?: readonly (string | null)[];
  /** Another replica has turned the memory off, and this one's rows do not have that yet. */
  readonly isTurnedOff?: boolean;
  /** Another replica has removed this entry. */
  readonly removed?: string;
}

const using = async ({
  isOn = true,
  isAllowed = true,
  apiId,
  use = 'full',
  bot = null,
  texts = ['Works in Lisbon.'],
  isTurnedOff = false,
  removed,
}: Case) => {
  // Pages of two entries.
  const page = (after: number) => ({
    rows: texts.slice(after, after + 2).map((text, index) => ({ memory_id: `m${after + index}`, text })),
    next: after + 2 < texts.length ? after + 2 : null,
  });
  const queries = {
    execute: async (query: object) => (query instanceof MemoriesOf ? page((query.args[2] as number | null) ?? 0) : isOn),
  } as unknown as QueryBus;
  const entries = Object.fromEntries(texts.map((_, index) => [`m${index}`, null]).filter(([id]) => id !== removed));
  const streams = {
    load: async (_: unknown, stream: string) => (stream === 'memory-ann' ? { isOn: !isTurnedOff, entries } : { isWithoutMemory: true }),
  } as unknown as Streams;
  const vault = { openAllOften: async (all: readonly (string | null)[]) => all } as unknown as Vault;
  const memory = new ReplyMemory(queries, streams, vault, { userMemory: isAllowed } as Config);
  const botOf = bot && { ...bot, configuredBy: bot.configuredBy === undefined ? bot.ownerId : bot.configuredBy };
  const reply = { userId: 'ann', ...(apiId !== undefined && { apiId }), ...(use !== 'of the stream' && { memoryUse: use }) };
  return { used: await memory.of('c', reply, botOf), most: await memory.mostTokens('ann') };
};

const NONE = { ids: [], texts: [], mayRemember: false };
const ALL = { ids: ['m0'], texts: ['Works in Lisbon.'], mayRemember: true };

describe('the memory of a reply', () => {
  it('is used if it is on', async () => expect((await using({})).used).toEqual(ALL));
  it.each<[string, Case]>([
    ['the user has not turned it on', { isOn: false }],
    ['administrators have switched it off', { isAllowed: false }],
    ['a program calls a published API', { apiId: 'a' }],
    ['it is off for the conversation', { use: 'off' }],
    ['it is off for the conversation, as its stream says', { use: 'of the stream' }],
    ['the bot of another user has not allowed it', { bot: { ownerId: 'ben', memory: null } }],
    ['a replica of an earlier release names no owner', { bot: { ownerId: null, memory: null } }],
    ['another user has configured the own bot', { bot: { ownerId: 'ann', configuredBy: 'ben', memory: null } }],
    ['nobody answers for what the own bot does', { bot: { ownerId: 'ann', configuredBy: null, memory: null } }],
    ['the bot does not use it', { bot: { ownerId: 'ann', memory: false } }],
    ['another replica has just turned it off', { isTurnedOff: true }],
  ])('is not used if %s', async (_, its) => expect((await using(its)).used).toEqual(NONE));
  it.each<[string, Case]>([
    ['an own bot', { bot: { ownerId: 'ann', memory: null } }],
    ['an own bot that another user has configured, if its owner allows it', { bot: { ownerId: 'ann', configuredBy: 'ben', memory: true } }],
    ["another user's bot that allows it", { bot: { ownerId: 'ben', memory: true } }],
  ])('is used by %s', async (_, its) => expect((await using(its)).used).toEqual(ALL));
  it('is only read in a temporary conversation', async () =>
    expect((await using({ use: 'read' })).used).toEqual({ ...ALL, mayRemember: false }));
  it('leaves out entries whose keys were destroyed', async () =>
    expect((await using({ texts: ['A', null, 'B', null] })).used.ids).toEqual(['m0', 'm2']));
  it('leaves out an entry that another replica has just removed', async () =>
    expect((await using({ texts: ['A', 'B'], removed: 'm0' })).used.ids).toEqual(['m1']));
  it('has the newest entries, in a limited number of tokens', async () => {
    const text = 'one two three four five six seven eight nine ten '.repeat(10).trim();
    const { tokens } = await countTokens(text);
    const { used, most } = await using({ texts: Array.from({ length: 200 }, () => text) });
    expect(used.ids.slice(0, 3)).toEqual(['m0', 'm1', 'm2']);
    expect(used.ids.length).toBe(Math.floor(MEMORY_TOKENS / (tokens + 3)));
    expect(most).toBeGreaterThan(MEMORY_TOKENS);
  });
  it('reserves nothing for a user who has not turned it on', async () => expect((await using({ isOn: false })).most).toBe(0));
});
