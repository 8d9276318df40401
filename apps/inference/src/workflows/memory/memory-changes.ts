import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { onHold, refuse } from '@parlance/decider';
import { Streams } from '@parlance/foundation';
import { type Seal, Shredded, Vault } from '@parlance/privacy';
import { ExecuteMemory } from '../../commands/aggregates.ts';
import { conversation, conversationStream } from '../../domain/conversation.ts';
import { isClosed } from '../../domain/conversation-state.ts';
import { memoriesOf, memory, type Memory, type MemoryCommand, type MemoryOrigin, memoryStream } from '../../domain/memory/memory.ts';
import { memoryDisabled, memoryIsOff, memoryNotFound } from '../../domain/memory/memory-refusals.ts';
import { HoldsOnConversations } from '../holds/holds-on-conversations.ts';
import { memorySubject } from './memory-subject.ts';

/** Adds, changes and removes entries of users' memories. Each method throws the refusals of the decider. */
@Injectable()
export class MemoryChanges {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly holds: HoldsOnConversations,
    private readonly config: Config,
  ) {}

  /** False if administrators have switched off the memory. */
  get isAllowed(): boolean {
    return this.config.userMemory;
  }

  async add(memoryId: string, userId: string, text: string): Promise<void> {
    this.requireAllowed();
    await this.sealing(memoryId, userId, (seal) =>
      this.execute(userId, { type: 'Add', memoryId, text: seal.text(text), origin: null }, seal.companions),
    );
  }

  /** Adds an entry for the model that writes a reply. A repeat has no effect. */
  async remember(memoryId: string, userId: string, text: string, origin: MemoryOrigin): Promise<void> {
    this.requireAllowed();
    const { conversationId } = origin;
    const state = () => this.streams.load(conversation, conversationStream(conversationId));
    // The user may have turned it off, or deleted the conversation, after the reply began.
    const before = await state();
    if (before.isWithoutMemory || isClosed(before)) throw memoryIsOff();
    await this.sealing(memoryId, userId, (seal) =>
      this.execute(userId, { type: 'Add', memoryId, text: seal.text(text), origin }, seal.companions),
    );
    // A concurrent erasure may have missed this entry. It is recorded before it looks for entries, so it is found here.
    if (isClosed(await state())) await this.removeOfConversation(conversationId, userId);
  }

  async change(memoryId: string, userId: string, text: string): Promise<void> {
    this.requireAllowed();
    // Without an entry, no key is created.
    if (!(memoryId in (await this.stateOf(userId)).entries)) throw memoryNotFound();
    await this.sealing(memoryId, userId, (seal) =>
      this.execute(userId, { type: 'Change', memoryId, text: seal.text(text) }, seal.companions),
    );
  }

  /** The key is destroyed first, so that the text of a removed entry cannot be read after a crash. Until the event is recorded, the removal can be repeated. */
  async remove(memoryId: string, userId: string, forAdmin: boolean): Promise<void> {
    const holds = await this.holds.on('user', userId);
    if (holds.length === 0 && memoryId in (await this.stateOf(userId)).entries) await this.vault.shred(memorySubject(memoryId, userId).id);
    await this.execute(userId, { type: 'Remove', memoryId, holds, forAdmin });
  }

  /** Removes the entries that the memory has now. One that is added in the meantime stays. */
  async removeAll(userId: string, forAdmin: boolean): Promise<void> {
    const holds = await this.holds.on('user', userId);
    const memoryIds = Object.keys((await this.stateOf(userId)).entries);
    if (holds.length > 0 && memoryIds.length > 0) throw onHold(holds, forAdmin);
    await this.shred(memoryIds, userId);
    await this.execute(userId, { type: 'RemoveAll', memoryIds, holds, forAdmin });
  }

  /** Removes the entries that models have added in a conversation that is being erased, and those that are added in the meantime. */
  async removeOfConversation(conversationId: string, userId: string): Promise<void> {
    for (;;) {
      const memoryIds = memoriesOf(await this.stateOf(userId), conversationId);
      if (memoryIds.length === 0) return;
      await this.shred(memoryIds, userId);
      await this.execute(userId, { type: 'RemoveOfConversation', memoryIds });
    }
  }

  async turn(userId: string, isOn: boolean): Promise<void> {
    if (isOn) this.requireAllowed();
    await this.execute(userId, { type: 'Turn', isOn });
  }

  /** Removes all entries of an erased user. Nothing can be added afterwards. */
  async erase(userId: string): Promise<void> {
    await this.shred(Object.keys((await this.stateOf(userId)).entries), userId);
    await this.execute(userId, { type: 'Erase' });
  }

  /** Throws `memory_disabled` (forbidden). */
  private requireAllowed(): void {
    if (!this.isAllowed) throw memoryDisabled();
  }

  private stateOf(userId: string): Promise<Memory> {
    return this.streams.load(memory, memoryStream(userId));
  }

  private async shred(ids: readonly string[], userId: string): Promise<void> {
    for (const id of ids) await this.vault.shred(memorySubject(id, userId).id);
  }

  private execute(userId: string, command: MemoryCommand, companions?: Seal['companions']) {
    return this.commands.execute(new ExecuteMemory(userId, command, companions && { companions }));
  }

  /** Throws `memory_not_found` if the entry was removed in the meantime, and `user_not_found` if the user was erased. */
  private async sealing(memoryId: string, userId: string, work: (seal: Seal) => Promise<unknown>): Promise<void> {
    const subject = memorySubject(memoryId, userId);
    try {
      await this.vault.sealing(subject, work);
    } catch (error) {
      if (!(error instanceof Shredded)) throw error;
      throw error.subject === subject.id ? memoryNotFound() : refuse('missing', 'user_not_found', 'This user was erased.');
    }
  }
}
