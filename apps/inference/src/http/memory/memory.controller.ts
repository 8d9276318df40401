import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Caller, FreshId, IdParam, PageQuery, PageTokens, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { type Sealed, Vault } from '@parlance/privacy';
import type { Cursor } from '@parlance/read-models';
import { memoryNotFound } from '../../domain/memory/memory-refusals.ts';
import { MemoriesOf, MemoryIsOn, MemoryOf, type MemoryRow } from '../../projections/memory/memories.ts';
import { MemoryChanges } from '../../workflows/memory/memory-changes.ts';
import { isAdmin } from '../caller-as-owner.ts';
import { MemoryEntriesAnswer, MemoryEntry, MemorySettings } from './memory-answers.ts';
import { MemoryEntryBody, MemoryEntryChangeBody, MemorySettingsBody } from './memory-bodies.ts';

/** The caller's memory: what models may know about the caller in all conversations. */
@Controller('user/me')
@SignedIn()
export class MemoryController {
  constructor(
    private readonly queries: QueryBus,
    private readonly changes: MemoryChanges,
    private readonly vault: Vault,
    private readonly tokens: PageTokens,
  ) {}

  @Get('memory')
  @Summary('Get whether your memory is turned on.')
  @Answers(200, MemorySettings)
  async settings(@Caller() { userId }: Caller): Promise<MemorySettings> {
    return { enabled: await this.queries.execute(new MemoryIsOn(userId)), allowed: this.changes.isAllowed };
  }

  @Put('memory')
  @Summary('Turn your memory on or off. While it is off, its entries are kept, and no prompt has them.')
  @Answers(200, MemorySettings)
  @Refuses('memory_disabled', 403)
  @Refuses('user_not_found', 404)
  async turn(@Caller() caller: Caller, @Body() { enabled }: MemorySettingsBody): Promise<MemorySettings> {
    await this.changes.turn(caller.userId, enabled);
    return this.settings(caller);
  }

  @Get('memories')
  @Summary('List the entries of your memory, the newest first.')
  @Answers(200, MemoryEntriesAnswer)
  @Refuses('invalid_next_token', 400)
  async list(@Caller() { userId }: Caller, @Query() { limit, next_token }: PageQuery): Promise<MemoryEntriesAnswer> {
    const listing = { list: 'memories', user: userId };
    const after = next_token === undefined ? null : this.tokens.open<Cursor>(listing, next_token);
    const { rows, next } = await this.queries.execute(new MemoriesOf(userId, limit, after));
    const memories: MemoryEntry[] = [];
    for (const row of rows) {
      if (isTurnOver()) await nextTurn();
      memories.push(await this.entry(row));
    }
    return { memories, next_token: next && this.tokens.seal(listing, next) };
  }

  @Post('memories')
  @Summary('Add an entry to your memory.')
  @Answers(201, MemoryEntry)
  @Refuses('memory_disabled', 403)
  @Refuses('memory_not_found', 404)
  @Refuses('user_not_found', 404)
  @Refuses('too_many_memories', 409)
  async add(@Caller() { userId }: Caller, @FreshId() id: string, @Body() { text }: MemoryEntryBody): Promise<MemoryEntry> {
    await this.changes.add(id, userId, text);
    return this.shown(id, userId);
  }

  @Delete('memories')
  @HttpCode(204)
  @Summary('Remove all entries of your memory.')
  @Answers(204)
  @Refuses('user_not_found', 404)
  @Refuses('on_hold', 409)
  async removeAll(@Caller() caller: Caller): Promise<void> {
    await this.changes.removeAll(caller.userId, isAdmin(caller));
  }

  @Get('memories/:memoryId')
  @Summary('Get an entry of your memory.')
  @Answers(200, MemoryEntry)
  @Refuses('memory_not_found', 404)
  async get(@Caller() { userId }: Caller, @IdParam('memoryId') id: string): Promise<MemoryEntry> {
    return this.shown(id, userId);
  }

  @Patch('memories/:memoryId')
  @Summary('Change the text of an entry.')
  @Answers(200, MemoryEntry)
  @Refuses('memory_disabled', 403)
  @Refuses('memory_not_found', 404)
  @Refuses('user_not_found', 404)
  async change(
    @Caller() { userId }: Caller,
    @IdParam('memoryId') id: string,
    @Body() { text }: MemoryEntryChangeBody,
  ): Promise<MemoryEntry> {
    await this.changes.change(id, userId, text);
    return this.shown(id, userId);
  }

  @Delete('memories/:memoryId')
  @HttpCode(204)
  @Summary('Remove an entry. For one that a model has added, this undoes it.')
  @Answers(204)
  @Refuses('memory_not_found', 404)
  @Refuses('user_not_found', 404)
  @Refuses('on_hold', 409)
  async remove(@Caller() caller: Caller, @IdParam('memoryId') id: string): Promise<void> {
    await this.changes.remove(id, caller.userId, isAdmin(caller));
  }

  private async shown(id: string, userId: string): Promise<MemoryEntry> {
    const row = await this.queries.execute(new MemoryOf(id, userId));
    if (!row) throw memoryNotFound();
    return this.entry(row);
  }

  private async entry({ memory_id, text, conversation_id, message_id, created_at, changed_at }: MemoryRow): Promise<MemoryEntry> {
    return {
      memory_id,
      // Null while the entry is being removed.
      text: (await this.vault.openOften(text as Sealed)) ?? '',
      added_by: message_id === null ? 'user' : 'model',
      conversation_id,
      message_id,
      create_time: Instant.toSeconds(created_at),
      last_change_time: Instant.toSeconds(changed_at),
    };
  }
}
