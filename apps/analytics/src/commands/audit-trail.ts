import { createHash } from 'node:crypto';
import type { Refusal } from '@parlance/decider';
import type { Executed } from '@parlance/event-store';
import type { CloudEvent } from '@parlance/messaging';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '@parlance/service-kit';
import { type AuditEntry, type AuditTrail, auditTrail, type AuditTrailEvent, auditTrailStream } from '../domain/audit-trail.ts';

const trail = auditTrail((text) => createHash('sha256').update(text).digest('hex'));

export class RecordAuditEntry extends Command<Executed<AuditTrailEvent, AuditTrail> | Refusal> {
  constructor(
    readonly because: CloudEvent,
    readonly entry: AuditEntry,
  ) {
    super();
  }
}

@CommandHandler(RecordAuditEntry)
export class AuditTrailCommands implements ICommandHandler<RecordAuditEntry> {
  constructor(private readonly streams: Streams) {}

  execute({ because, entry }: RecordAuditEntry) {
    return this.streams.react('audit', because, trail, auditTrailStream, { type: 'Record', entry });
  }
}
