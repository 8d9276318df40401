import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EventPattern, Payload } from '@nestjs/microservices';
import { Instant } from '@parlance/decider';
import type { CloudEvent } from '@parlance/messaging';
import { Origins } from '@parlance/foundation';
import { RecordAuditEntry } from '../commands/audit-trail.ts';
import { deeds } from './deeds.ts';

/**
 * Who did what from where is told by the event itself, written in the same append as the deed: there is no deed
 * without its entry, however late this service hears of it.
 */
@Controller()
export class RecordAuditEntryWhenSomethingWasDone {
  constructor(
    private readonly commands: CommandBus,
    private readonly origins: Origins,
  ) {}

  @EventPattern<readonly string[]>([...deeds.keys()])
  async on(@Payload() event: CloudEvent): Promise<void> {
    const deed = deeds.get(event.type)?.(event.data as never);
    if (!deed) return;
    const { action, resource, id, details = {}, by, error = null } = deed;
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
        details,
        ip_address: ip,
        user_agent: userAgent,
        success: error === null,
        error_message: error,
      }),
    );
  }

  /** Sealed by the service that tells of it. Events of release 0.2 that come late are sealed here. */
  private async originOf({ actorip, actoragent }: CloudEvent, userId: string) {
    const origin = { ip: actorip ?? null, userAgent: actoragent ?? null };
    return isUser(userId) ? this.origins.sealed(userId, origin) : origin;
  }
}

/** Not an unknown caller, the product itself, or a provisioning token. */
const isUser = (userId: string) => !['anonymous', 'system'].includes(userId) && !userId.includes(':');

/** What comes from an address was asked for by a caller; the rest the product did by itself. */
const unknownActor = ({ actorip }: CloudEvent) => (actorip === undefined ? 'system' : 'anonymous');
