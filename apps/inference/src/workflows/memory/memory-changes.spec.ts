import { describe, expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import type { Config } from '@parlance/config';
import { fold, Refusal } from '@parlance/decider';
import type { Streams } from '@parlance/foundation';
import type { Seal, Vault } from '@parlance/privacy';
import type { ExecuteMemory } from '../../commands/aggregates.ts';
import type { Conversation } from '../../domain/conversation-state.ts';
import { memory, type MemoryEvent } from '../../domain/memory/memory.ts';
import type { HoldsOnConversations } from '../holds/holds-on-conversations.ts';
import { MemoryChanges } from './memory-changes.ts';

const of = (conversationId: string) => ({ conversationId, replyId: 'r' });
const added = (memoryId: string, conversationId: string): MemoryEvent => ({
  type: 'MemoryAdded',
  memoryId,
  text: 's1.x.y',
  origin: of(conversationId),
});

interface Circumstances {
  /** Happens once, before the first key is destroyed. */
  readonly during?: (changes: MemoryChanges) => Promise<void>;
  readonly isAllowed?: boolean;
  readonly holds?: readonly string[];
}

/** The memory of Ann. */
function changing(given: readonly MemoryEvent[], { during, isAllowed = true, holds: onAnn = [] }: Circumstances = {}) {
  const log: MemoryEvent[] = [{ type: 'MemoryTurnedOn' }, ...given];
  const steps: string[] = [];
  const conversations: Record<string, Partial<Conversation>> = {};
  let left = during;
  const streams = {
    load: async (_: unknown, stream: string) => (stream === 'memory-ann' ? fold(memory, log) : (conversations[stream] ?? {})),
  } as unknown as Streams;
  const commands = {
    execute: async ({ command }: InstanceType<typeof ExecuteMemory>) => {
      const decided = memory.decide(command, fold(memory, log));
      if (decided instanceof Refusal) throw decided;
      log.push(...decided);
      for (const event of decided) if ('memoryId' in event) steps.push(`${event.type} ${event.memoryId}`);
      return { events: decided.map((event) => ({ event })) };
    },
  } as unknown as CommandBus;
  const seal = { text: (plain: string) => plain, companions: [] } as unknown as Seal;
  const vault = {
    sealing: (_: unknown, work: (its: Seal) => Promise<unknown>) => work(seal),
    shred: async (id: string) => {
      const its = left;
      left = undefined;
      await its?.(changes);
      steps.push(`shred ${id}`);
    },
  } as unknown as Vault;
  const holds = { on: async () => onAnn } as unknown as HoldsOnConversations;
  const changes = new MemoryChanges(commands, streams, vault, holds, { userMemory: isAllowed } as Config);
  return { changes, steps, conversations, entries: () => Object.keys(fold(memory, log).entries) };
}

describe('an entry of a model', () => {
  it.each<[string, Partial<Conversation>]>([
    ['the user has turned the memory off for the conversation', { isWithoutMemory: true }],
    ['the conversation is being deleted', { removedTo: '' }],
  ])('is not added if %s after the reply began', async (_, state) => {
    const { changes, conversations, entries } = changing([]);
    conversations['conversation-c'] = state;
    await expect(changes.remember('m', 'ann', 'Sings.', of('c'))).rejects.toMatchObject({ code: 'memory_is_off' });
    await changes.remember('n', 'ann', 'Sings.', of('d'));
    expect(entries()).toEqual(['n']);
  });
  it('is removed if the erasure of its conversation may have missed it', async () => {
    const { changes, conversations, entries, steps } = changing([]);
    const open: Partial<Conversation> = {};
    let reads = 0;
    // It is closed when it is read for the second time.
    Object.defineProperty(conversations, 'conversation-c', { get: () => (reads++ === 0 ? open : { removedTo: '' }) });
    await changes.remember('m', 'ann', 'Sings.', of('c'));
    expect([entries(), steps]).toEqual([[], ['MemoryAdded m', 'shred memory:m', 'MemoryRemoved m']]);
  });
});

describe('entries of a conversation that is being erased', () => {
  it('are removed after their keys were destroyed, also one that is added in the meantime', async () => {
    const during = (its: MemoryChanges) => its.remember('n', 'ann', 'Sings.', of('c'));
    const { changes, steps, entries } = changing([added('m', 'c'), added('o', 'other')], { during });
    await changes.removeOfConversation('c', 'ann');
    expect(entries()).toEqual(['o']);
    for (const id of ['m', 'n']) expect(steps.indexOf(`MemoryRemoved ${id}`)).toBeGreaterThan(steps.indexOf(`shred memory:${id}`));
    expect(steps).toContain('shred memory:n');
  });
});

describe('removing all entries', () => {
  it('keeps one that is added in the meantime, whose key was not destroyed', async () => {
    const during = (its: MemoryChanges) => its.add('n', 'ann', 'Sings.');
    const { changes, steps, entries } = changing([added('m', 'c')], { during });
    await changes.removeAll('ann', false);
    expect(entries()).toEqual(['n']);
    expect(steps).toEqual(['MemoryAdded n', 'shred memory:m', 'MemoryRemoved m']);
  });
});

describe('removing an entry', () => {
  it('destroys its key first', async () => {
    const { changes, steps } = changing([added('m', 'c'), added('n', 'c')]);
    await changes.remove('m', 'ann', false);
    expect(steps).toEqual(['shred memory:m', 'MemoryRemoved m']);
  });
  it.each([
    ['an entry of another user', 'other', []],
    ['an entry that a hold keeps', 'm', ['h']],
  ])('leaves the key of %s', async (_, id, holds) => {
    const { changes, steps } = changing([added('m', 'c')], { holds });
    await expect(changes.remove(id, 'ann', false)).rejects.toBeInstanceOf(Refusal);
    expect(steps).toEqual([]);
  });
});

describe('a memory that administrators have switched off', () => {
  it.each<[string, (changes: MemoryChanges) => Promise<void>]>([
    ['turned on', (its) => its.turn('ann', true)],
    ['extended by its user', (its) => its.add('n', 'ann', 'Sings.')],
    ['extended by a model that began before', (its) => its.remember('n', 'ann', 'Sings.', of('c'))],
    ['changed', (its) => its.change('m', 'ann', 'Sings.')],
  ])('is not %s', async (_, change) => {
    const { changes, steps } = changing([added('m', 'c')], { isAllowed: false });
    await expect(change(changes)).rejects.toMatchObject({ code: 'memory_disabled' });
    expect(steps).toEqual([]);
  });
});
