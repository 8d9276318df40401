import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { EventPattern, Payload } from '@nestjs/microservices';
import { PasswordChanged, UserDisabled } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { Clock, PagedRounds, Streams } from '@parlance/foundation';
import { factors, factorsStream } from '../domain/credentials/factors.ts';
import { PasskeyClaims } from '../workflows/factors/passkey-claims.ts';
import { Sessions } from '../workflows/sessions.ts';
import { ExpiredSessions, type SessionRow } from '../projections/sessions.ts';
import { type Cursor } from '@parlance/read-models';

/**
 * Ends sessions that a crash left active after a user was disabled or a password was set. Removes the second factors of a person who had signed
 * up with another person's address. This policy listens to the service's own topic. A timer ends sessions that have expired.
 */
@Controller()
export class EndSessionsThatAreOver {
  private readonly rounds = new PagedRounds<SessionRow, Cursor>('expired sessions could not be ended', ({ session_id }) => session_id);

  constructor(
    private readonly sessions: Sessions,
    private readonly queries: QueryBus,
    private readonly passkeyClaims: PasskeyClaims,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  @EventPattern(UserDisabled.type)
  onUserDisabled(@Payload() { data }: CloudEvent<UserDisabled>) {
    return this.sessions.endOutdated(data.user_id);
  }

  @EventPattern(PasswordChanged.type)
  async onPasswordChanged(@Payload() event: CloudEvent<PasswordChanged>) {
    const { user_id, because } = event.data;
    // The factors belong to the person who had signed up with another person's address.
    if (because === 'address_proved_by_another') {
      await this.streams.react('reset-factors', [event], factors, factorsStream(user_id), { type: 'Reset' });
      await this.passkeyClaims.releaseFormer(user_id);
    }
    await this.sessions.endOutdated(user_id);
  }

  async endExpired(): Promise<void> {
    await this.rounds.run(
      (after) => this.queries.execute(new ExpiredSessions(this.clock.now(), after)),
      ({ session_id }) => this.sessions.end(session_id, 'expired'),
    );
  }
}
