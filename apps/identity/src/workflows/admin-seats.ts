import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal, refuse } from '@parlance/decider';
import { type Done, Streams } from '@parlance/foundation';
import { etagOf, requireMatch } from '@parlance/http';
import { isActiveAdmin, user, type User, type UserCommand, type UserEvent, userStream } from '../domain/user.ts';
import { ExecuteAdministrators, ExecuteUser } from '../commands/aggregates.ts';

const ATTEMPTS = 10;

/**
 * Changes that add or remove an Admin. Each writes the user's stream and the stream of seats, so that the last enabled Admin stays,
 * even with concurrent changes. `domain/administrators.ts` explains why the order is safe.
 */
@Injectable()
export class AdminSeats {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
  ) {}

  /** For changes that may make the user an active Admin. */
  async changeThenTakeSeat(userId: string, command: UserCommand, ifMatch?: string): Promise<Done<UserEvent, User>> {
    const done = await this.commands.execute(new ExecuteUser(userId, command, { ifMatch }));
    if (isActiveAdmin(done.state) && !(await this.takeSeat(userId, done.version))) await this.takeMissingSeat(userId);
    return done;
  }

  /**
   * Gives an active Admin the seat that a crash may have prevented. If the seat of the current version was given up, the change that
   * gave it up may still be in progress. So the user's stream gets a new version first, which makes that change start again.
   */
  async takeMissingSeat(userId: string): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { state, version } = await this.streams.look<UserEvent, User>(user, userStream(userId));
      if (!isActiveAdmin(state) || (await this.takeSeat(userId, version))) return;
      await this.unlessStale(() => this.commands.execute(new ExecuteUser(userId, { type: 'ConfirmAdmin' }, { ifMatch: etagOf(version) })));
    }
    // Other requests keep changing the user. Until one of them or the next start takes the seat, the rule is only stricter than needed.
  }

  /** For changes after which the user is not an active Admin. Throws the refusal `last_admin`, and the refusals of the change. */
  async giveUpSeatThenChange(userId: string, command: UserCommand, ifMatch?: string): Promise<Done<UserEvent, User>> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { state, version } = await this.streams.look<UserEvent, User>(user, userStream(userId));
      requireMatch(ifMatch, version);
      const decision = user.decide(command, state);
      if (decision instanceof Refusal) {
        // The user stays an Admin. An earlier attempt may have given up the seat.
        if (attempt > 0) await this.takeMissingSeat(userId);
        throw decision;
      }
      if (isActiveAdmin(state)) await this.commands.execute(new ExecuteAdministrators({ type: 'GiveUpSeat', userId, version }));
      const done = await this.unlessStale(() => this.commands.execute(new ExecuteUser(userId, command, { ifMatch: etagOf(version) })));
      if (done !== null) return done;
    }
    throw refuse('unavailable', 'stream_busy', 'This user is being changed by other requests. Try again.', { retry_after: 1 });
  }

  /** Throws the refusals `user_not_found`, `last_admin` and `version_stale`. */
  leaveGroup(userId: string, group: string, ifMatch?: string): Promise<Done<UserEvent, User>> {
    const command = { type: 'LeaveGroup', group } as const;
    return group === 'Admin' ? this.giveUpSeatThenChange(userId, command, ifMatch) : this.changeThenTakeSeat(userId, command, ifMatch);
  }

  /** False if the seat of this version was given up and the user has no seat of a later version. */
  private async takeSeat(userId: string, version: number): Promise<boolean> {
    const { state } = await this.commands.execute(new ExecuteAdministrators({ type: 'TakeSeat', userId, version }));
    return state.seats[userId] !== undefined;
  }

  /** Null if the user changed in between. The caller has to read the user again. */
  private async unlessStale<Result>(work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'stale') return null;
      throw error;
    }
  }
}
