import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EventPattern, Payload } from '@nestjs/microservices';
import { BotCreated, BotDeleted, SignedIn, UserRegistered } from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import type { CloudEvent } from '@parlance/messaging';
import { RecordAuditEntry } from '../commands/audit-trail.ts';

/** What was done, as the audit log words it. */
interface Deed {
  readonly action: string;
  readonly resource: string;
  readonly id: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Who did what from where is told by the event itself, written in the same append as the deed: there is no deed
 * without its entry, however late this service hears of it.
 */
@Controller()
export class RecordAuditEntryWhenSomethingWasDone {
  constructor(private readonly commands: CommandBus) {}

  @EventPattern(UserRegistered.type)
  onUserRegistered(@Payload() event: CloudEvent<UserRegistered>) {
    const { user_id: id, groups } = event.data;
    return this.record(event, { action: 'register_user', resource: 'user', id, details: { groups } });
  }

  @EventPattern(SignedIn.type)
  onSignedIn(@Payload() event: CloudEvent<SignedIn>) {
    return this.record({ ...event, actor: event.data.user_id }, { action: 'sign_in', resource: 'user', id: event.data.user_id });
  }

  @EventPattern(BotCreated.type)
  onBotCreated(@Payload() event: CloudEvent<BotCreated>) {
    const { bot_id: id, title } = event.data;
    return this.record(event, { action: 'create_bot', resource: 'bot', id, details: { title } });
  }

  @EventPattern(BotDeleted.type)
  onBotDeleted(@Payload() event: CloudEvent<BotDeleted>) {
    return this.record(event, { action: 'delete_bot', resource: 'bot', id: event.data.bot_id });
  }

  private record(event: CloudEvent, { action, resource, id, details = {} }: Deed) {
    return this.commands.execute(
      new RecordAuditEntry(event, {
        id: event.id,
        user_id: event.actor ?? 'system',
        action_type: action,
        resource_type: resource,
        resource_id: id,
        timestamp: Instant.toSeconds(Instant.parse(event.time)),
        details,
        ip_address: event.actorip ?? null,
        user_agent: event.actoragent ?? null,
        success: true,
        error_message: null,
      }),
    );
  }
}
