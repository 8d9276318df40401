import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';
import { Streams } from '@parlance/foundation';
import { nameSchemas } from '@parlance/openapi';
import { type Sealed, Vault } from '@parlance/privacy';
import { z } from 'zod';
import { ExecuteHold, ExecuteUser } from '../../commands/aggregates.ts';
import { hold, holdNotFound, holdStream, type HeldSubject } from '../../domain/holds/hold.ts';
import { HoldById, type HoldRow } from '../../projections/holds.ts';

export const HoldAnswer = z.object({
  id: z.string(),
  user_id: z.string().nullable().describe('ID of the user who is not erased, and whose conversations are kept; null for a hold on a bot.'),
  bot_id: z.string().nullable().describe('ID of the bot that is not deleted, and whose conversations are kept; null for a hold on a user.'),
  reason: z.string(),
  placed_by: z.string().nullable().describe('ID of the administrator.'),
  create_time: z.int().describe('Time in epoch seconds.'),
});
export type HoldAnswer = z.infer<typeof HoldAnswer>;

nameSchemas({ Hold: HoldAnswer });

/** The reason may name persons, so it has its own key, which is destroyed when the hold is settled. */
const reasonSubject = (holdId: string) => ({ id: `hold:${holdId}` });

/**
 * Holds that administrators place on users and bots. A hold is placed once every service that deletes data of the user or bot has recorded the
 * hold on the stream that refuses the deletion: identity on the user's stream, bots on the bot's stream, and inference on a stream of its own, which
 * contains the holds on the user or bot.
 */
@Injectable()
export class Holds {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly calls: ServiceCalls,
    private readonly vault: Vault,
  ) {}

  /** When this resolves, new deletions are refused. Throws the refusals `user_not_found`, `bot_not_found`, `too_many_holds` and `hold_is_over`. */
  async place(holdId: string, subject: HeldSubject, reason: string): Promise<HoldAnswer> {
    const { status } = await this.streams.load(hold, holdStream(holdId));
    const sealed = status === 'absent' ? await this.vault.seal(reasonSubject(holdId), reason) : '';
    await this.commands.execute(new ExecuteHold(holdId, { type: 'Request', subject, reason: sealed }));
    try {
      await this.placeEverywhere(holdId, subject);
      await this.commands.execute(new ExecuteHold(holdId, { type: 'Place' }));
    } catch (error) {
      // A failed request must have no effect, so the hold is withdrawn. What cannot be undone now is undone by the timer.
      await this.withdraw(holdId).catch(() => undefined);
      throw error;
    }
    const row = await this.queries.execute(new HoldById(holdId));
    if (!row) throw holdNotFound();
    return this.opened(row);
  }

  /** The end is recorded first. Services that cannot be reached now refuse deletions until the timer has notified them. Throws the refusal `hold_not_found`. */
  async end(holdId: string): Promise<void> {
    await this.commands.execute(new ExecuteHold(holdId, { type: 'End' }));
    await this.settle(holdId).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.kind === 'unavailable')) throw error;
    });
  }

  async withdraw(holdId: string): Promise<void> {
    await this.commands.execute(new ExecuteHold(holdId, { type: 'Withdraw' }));
    await this.settle(holdId);
  }

  /** Removes a hold that has ended from all services, and destroys its reason. Does nothing for other holds. */
  async settle(holdId: string): Promise<void> {
    const state = await this.streams.load(hold, holdStream(holdId));
    if (state.status !== 'ending') return;
    await this.endEverywhere(holdId, state.subject);
    await this.vault.shred(reasonSubject(holdId).id);
    await this.commands.execute(new ExecuteHold(holdId, { type: 'Settle' }));
  }

  async opened(row: HoldRow): Promise<HoldAnswer> {
    const { hold_id, subject_kind, subject_id, placed_by, create_time } = row;
    const reason = await this.vault.open(row.reason as Sealed);
    return {
      id: hold_id,
      user_id: subject_kind === 'user' ? subject_id : null,
      bot_id: subject_kind === 'bot' ? subject_id : null,
      // The hold ended between the two reads.
      reason: reason ?? '',
      placed_by,
      create_time,
    };
  }

  private async placeEverywhere(holdId: string, { kind, id }: HeldSubject): Promise<void> {
    // The erasure of an owner deletes the bots, so the hold applies to the owner as well. A bot's owner never changes.
    const userId = kind === 'user' ? id : (await this.notify('bots', 'place', holdId, { bot_id: id })).owner_user_id;
    if (userId !== null) await this.commands.execute(new ExecuteUser(userId, { type: 'Hold', holdId }));
    await this.notify('inference', 'place', holdId, { [`${kind}_id`]: id });
  }

  private async endEverywhere(holdId: string, { kind, id }: HeldSubject): Promise<void> {
    const userId = kind === 'user' ? id : (await this.notify('bots', 'end', holdId, { bot_id: id })).owner_user_id;
    if (userId !== null) await this.commands.execute(new ExecuteUser(userId, { type: 'EndHold', holdId }));
    await this.notify('inference', 'end', holdId, { [`${kind}_id`]: id });
  }

  private notify(service: 'bots' | 'inference', step: 'place' | 'end', holdId: string, subject: object) {
    return this.calls.post<{ owner_user_id: string | null }>(service, `/internal/holds/${step}`, { hold_id: holdId, ...subject });
  }
}
