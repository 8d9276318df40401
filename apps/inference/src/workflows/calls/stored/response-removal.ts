import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { eraseEach, Streams } from '@parlance/foundation';
import { Vault } from '@parlance/privacy';
import { ExecuteStoredResponse } from '../../../commands/aggregates.ts';
import { responseNotFound } from '../../../domain/responses/response-refusals.ts';
import { isOwn, storedResponse, type StoredResponseCommand, storedResponseStream } from '../../../domain/responses/stored-response.ts';
import { ResponsesOf, type StoredResponseRow } from '../../../projections/responses/stored-responses.ts';
import { HoldsOnConversations } from '../../holds/holds-on-conversations.ts';
import { responseIdIn, responseSubject } from './stored-responses.ts';

/** Responses of an erased user that are deleted at the same time. */
const ERASED_AT_ONCE = 8;

/**
 * Deletes stored responses. The key is destroyed first, so that the content cannot be read after a crash. Until the event is recorded, the deletion can
 * be repeated.
 */
@Injectable()
export class ResponseRemoval {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly holds: HoldsOnConversations,
  ) {}

  /** Throws the refusals `response_not_found` (missing) and `on_hold` (conflict). */
  async delete(shown: string, userId: string): Promise<void> {
    const id = responseIdIn(shown);
    if (id === null) throw responseNotFound();
    const holds = await this.holds.on('user', userId);
    const isDeleted = holds.length === 0 && isOwn(await this.streams.load(storedResponse, storedResponseStream(id)), userId);
    await this.end(id, userId, { type: 'Delete', userId, holds }, isDeleted);
  }

  /** Does nothing if a hold keeps the response. */
  async expireBy(ruleId: string, { response_id, user_id }: StoredResponseRow): Promise<void> {
    const holds = await this.holds.on('user', user_id);
    await this.end(response_id, user_id, { type: 'Expire', ruleId, holds }, holds.length === 0);
  }

  /** Deletes all responses of an erased user. None can be stored afterwards, because the user's key is destroyed. */
  async erase(userId: string): Promise<void> {
    await eraseEach(
      async () => (await this.queries.execute(new ResponsesOf(userId, null))).rows.map(({ response_id }) => response_id),
      (id) => this.end(id, userId, { type: 'Erase' }, true),
      ERASED_AT_ONCE,
    );
  }

  private async end(id: string, userId: string, command: StoredResponseCommand, isDeleted: boolean): Promise<void> {
    if (isDeleted) await this.vault.shred(responseSubject(id, userId).id);
    await this.commands.execute(new ExecuteStoredResponse(id, command));
  }
}
