import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { EventStore } from '@parlance/event-store';
import type { CloudEvent } from '@parlance/messaging';
import { MasterKey } from '@parlance/privacy';
import { Clock, Streams } from '@parlance/foundation';
import { RecordAuditEntry } from '../commands/audit-trail.ts';
import { newestEntry } from '../commands/newest-entry.ts';
import { KEYED } from '../domain/audit-trail.ts';

/**
 * Release 0.2 recorded entries with hashes that need no key. The first start of a later release adds an entry with a keyed hash that covers them.
 * From then on, changing them without the key is detected.
 */
@Injectable()
export class KeyAuditTrailOnStart implements OnApplicationBootstrap {
  constructor(
    private readonly store: EventStore,
    private readonly streams: Streams,
    private readonly master: MasterKey,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const newest = await newestEntry(this.store, this.streams, this.master);
    if (newest === null || newest.event.proof === KEYED) return;
    // Several replicas that start at the same time record it once.
    const because = { id: 'key-audit-trail', source: '/analytics', type: 'parlance.analytics.start' } as CloudEvent;
    await this.commands.execute(
      new RecordAuditEntry(because, {
        id: because.id,
        user_id: 'system',
        action_type: 'key_audit_log',
        resource_type: 'audit_log',
        resource_id: '',
        timestamp: Instant.toSeconds(this.clock.now()),
        details: {},
        ip_address: null,
        user_agent: null,
        success: true,
        error_message: null,
      }),
    );
  }
}
