import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal, refuse } from '@parlance/decider';
import { type Done, Streams } from '@parlance/foundation';
import { etagOf, requireMatch } from '@parlance/http';
import { isActiveAdmin, user, type User, type UserCommand, type UserEvent, userStream } from '../domain/user.ts';
import { ExecuteAdministrators, ExecuteUser } from '../commands/aggregates.ts';

const ATTEMPTS = 10;

/**
 * Changes to users that make or unmake an Admin: two streams take part, the user's and that of the seats, so that the last
 * enabled Admin stays, also when several administrators act at the same time. Why this order is safe is told in `domain/administrators.ts`.
 */
@Injectable()
export class AdminSeats {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
  ) {}

  /** For changes after which the user may be an Admin who was none. */
  async changeThenTakeSeat(userId: string, command: UserCommand, ifMatch?: string): Promise<Done<UserEvent, User>> {
    const done = await this.commands.execute(new ExecuteUser(userId, command, { ifMatch }));
    if (isActiveAdmin(done.state) && !(await this.takeSeat(userId, done.version))) await this.takeMissingSeat(userId);
    return done;
  }

  /**
   * Gives a user who is an active Admin the seat that they may lack, since a change was cut off. Where that was between the
   * seat and the change, no seat of the present version counts any more, in case the change is only slow: so the user gets
   * a version that has nothing else to say, which makes the slow one look again.
   */
  async takeMissingSeat(userId: string): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { state, version } = await this.streams.look<UserEvent, User>(user, userStream(userId));
      if (!isActiveAdmin(state) || (await this.takeSeat(userId, version))) return;
      await this.unlessStale(() => this.commands.execute(new ExecuteUser(userId, { type: 'ConfirmAdmin' }, { ifMatch: etagOf(version) })));
    }
    // Others change the user all the time; until one of them or the next start gives the seat, the rule is only stricter.
  }

  /** For changes after which the user is no Admin any more, if they were one. Throws the refusal `last_admin`. */
  async giveUpSeatThenChange(userId: string, command: UserCommand, ifMatch?: string): Promise<Done<UserEvent, User>> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { state, version } = await this.streams.look<UserEvent, User>(user, userStream(userId));
      requireMatch(ifMatch, version);
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

  /** False when the seats of this version were given up, and the user has none of a later one. */
  private async takeSeat(userId: string, version: number): Promise<boolean> {
    const { state } = await this.commands.execute(new ExecuteAdministrators({ type: 'TakeSeat', userId, version }));
    return state.seats[userId] !== undefined;
  }

  /** Null when the user was changed in between, who may have become an Admin by it, or ceased to be: look again. */
  private async unlessStale<Result>(work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'stale') return null;
      throw error;
    }
  }
}
