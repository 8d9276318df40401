import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { AuditRecorder, type Caller, isInGroup } from '@parlance/http';
import { notPublished } from '../domain/publication.ts';
import { KnownBotById } from '../projections/known-bots.ts';
import { PublicationOf, type PublicationRow } from '../projections/publications.ts';

const ADMIN_GROUP = 'Admin';

/** While the bot is reserved, all users see it. Otherwise it may be private, and administrators do not see other users' private bots. */
const RESERVED: ReadonlySet<PublicationRow['status']> = new Set(['deploying', 'succeeded']);

const botNotFound = () => refuse('missing', 'bot_not_found', 'There is no such bot, or it is not yours to see.');

/** Finds publications for their owners and for administrators. Other users do not learn whether there is one. */
@Injectable()
export class VisiblePublications {
  constructor(
    private readonly queries: QueryBus,
    private readonly audit: AuditRecorder,
  ) {}

  /** Throws the refusals `bot_not_found` and `not_published`. */
  async find(caller: Caller, botId: string): Promise<PublicationRow> {
    const isAdmin = isInGroup(caller, ADMIN_GROUP);
    const row = await this.queries.execute(new PublicationOf(botId));
    if (row?.owner_user_id === caller.userId || (row && isAdmin && RESERVED.has(row.status))) return row;
    if (row && !isAdmin) throw botNotFound();
    const known = await this.queries.execute(new KnownBotById(botId));
    const isVisible = known !== null && (known.owner_user_id === caller.userId || (isAdmin && !known.is_private));
    if (!isVisible) throw botNotFound();
    if (row) return row;
    throw notPublished();
  }

  /** Records that an administrator reads the publication of another user. Called before the answer is sent. */
  async recordRead(caller: Caller, row: PublicationRow): Promise<void> {
    if (row.owner_user_id === caller.userId) return;
    await this.audit.viewed({ action: 'view_publication', resourceType: 'bot', resourceId: row.bot_id });
  }
}
