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
        // The entry contains the ID of the token, to show which of the user's credentials was used.
        details: event.actortoken === undefined ? details : { ...details, token_id: event.actortoken },
        ip_address: ip,
        user_agent: userAgent,
        success: error === null,
        error_message: error,
      }),
    );
  }

  /** The sealed IP address and user agent. The publishing service seals them, except in late events of release 0.2, which are sealed here. */
  private async originOf({ actorip, actoragent }: CloudEvent, userId: string) {
    const origin = { ip: actorip ?? null, userAgent: actoragent ?? null };
    return isUser(userId) ? this.origins.sealed(userId, origin) : origin;
  }
}

/** False for an unknown caller, the product itself, and a provisioning token. */
const isUser = (userId: string) => !['anonymous', 'system'].includes(userId) && !userId.includes(':');

/** The actor of an event without one: an unknown caller if the event has an IP address, otherwise the product itself. */
const unknownActor = ({ actorip }: CloudEvent) => (actorip === undefined ? 'system' : 'anonymous');
