import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EventPattern, Payload } from '@nestjs/microservices';
import { Instant } from '@parlance/decider';
import type { CloudEvent } from '@parlance/messaging';
import { Origins } from '@parlance/foundation';
import { RecordAuditEntry } from '../commands/audit-trail.ts';
import { auditActions } from './audit-actions.ts';

/**
 * Records each action once. The event names the actor, the action and the address, and is stored in the same append as the action. So each
 * action gets its entry, even if the event arrives late.
 */
@Controller()
export class RecordAuditEntryWhenSomethingWasDone {
  constructor(
    private readonly commands: CommandBus,
    private readonly origins: Origins,
  ) {}

  @EventPattern<readonly string[]>([...auditActions.keys()])
  async on(@Payload() event: CloudEvent): Promise<void> {
    const auditAction = auditActions.get(event.type)?.(event.data as never);
    if (!auditAction) return;
    const { action, resource, id, details = {}, by, error = null } = auditAction;
    const user_id = by ?? event.actor ?? unknownActor(event);
    const { ip, userAgent } = await this.originOf(event, user_id);
    await this.commands.execute(
      new RecordAuditEntry(event, {
        id: event.id,
        user_id,
        action_type: action,
        resource_type: resource,
        resource_id: id,
        timestamp: Instant.toSeconds(Instant.parse(event.time)),
        // The token's ID, so that an entry shows which of the user's credentials was used.
        details: event.actortoken === undefined ? details : { ...details, token_id: event.actortoken },
        ip_address: ip,
        user_agent: userAgent,
        success: error === null,
        error_message: error,
      }),
    );
  }

  /** The service that publishes the event seals the origin. Late events of release 0.2 are sealed here. */
  private async originOf({ actorip, actoragent }: CloudEvent, userId: string) {
    const origin = { ip: actorip ?? null, userAgent: actoragent ?? null };
    return isUser(userId) ? this.origins.sealed(userId, origin) : origin;
  }
}

/** Not an unknown caller, the product itself, or a provisioning token. */
const isUser = (userId: string) => !['anonymous', 'system'].includes(userId) && !userId.includes(':');

/** A caller caused an event that has an address; the product itself caused any other. */
const unknownActor = ({ actorip }: CloudEvent) => (actorip === undefined ? 'system' : 'anonymous');
