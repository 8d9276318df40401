import type { CommandBus } from '@nestjs/cqrs';
import { Refusal, refuse } from '@parlance/decider';
import { type Done, etagOf, requireMatch, type Streams } from '@parlance/service-kit';
import { isActiveAdmin, user, type User, type UserCommand, type UserEvent, userStream } from '../domain/user.ts';
import { ExecuteAdministrators } from './administrators.ts';
import { ExecuteUser } from './user.ts';

const attempts = 10;

/**
 * Changes to users that make or unmake an Admin: two streams take part, the user's and that of the seats, so that the last
 * enabled Admin stays, whoever acts at the same time. Why this order is safe is told in `domain/administrators.ts`.
 */
export class Administration {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
  ) {}

  /** For changes after which the user may be an Admin who was none. */
  async raise(userId: string, command: UserCommand, ifMatch?: string): Promise<Done<UserEvent, User>> {
    const done = await this.commands.execute(new ExecuteUser(userId, command, ifMatch));
    if (isActiveAdmin(done.state))
      await this.commands.execute(new ExecuteAdministrators({ type: 'TakeSeat', userId, version: done.version }));
    return done;
  }

  /** Gives a user who is an active Admin the seat that they may lack, since somebody was cut off. */
  async seat(userId: string): Promise<void> {
    const { state, version } = await this.streams.look<UserEvent, User>(user, userStream(userId));
    if (isActiveAdmin(state)) await this.commands.execute(new ExecuteAdministrators({ type: 'TakeSeat', userId, version }));
  }

  /** For changes after which the user is no Admin any more, if they were one. Throws the refusal `last_admin`. */
  async lower(userId: string, command: UserCommand, ifMatch?: string): Promise<Done<UserEvent, User>> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const { state, version } = await this.streams.look<UserEvent, User>(user, userStream(userId));
      requireMatch(ifMatch, version);
      if (isActiveAdmin(state)) await this.commands.execute(new ExecuteAdministrators({ type: 'GiveUpSeat', userId, version }));
      try {
        return await this.commands.execute(new ExecuteUser(userId, command, etagOf(version)));
      } catch (error) {
        // Somebody changed the user in between, who may have become an Admin by it: look again.
        if (!(error instanceof Refusal && error.kind === 'stale')) throw error;
      }
    }
    throw refuse('unavailable', 'stream_busy', 'This user is being changed by others: try again.', { retry_after: 1 });
  }
}
