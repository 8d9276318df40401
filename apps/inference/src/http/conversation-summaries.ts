import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Instant } from '@parlance/decider';
import { dollars } from '@parlance/money';
import { type Sealed, Vault } from '@parlance/privacy';
import { titleByRule, UNTITLED } from '../domain/title-rule.ts';
import { FirstExchange, type ListedConversation } from '../projections/conversations.ts';
import { Memberships } from '../projections/projects/projects.ts';
import type { ConversationSummary } from './conversation-answers.ts';

/** Bytes of sealed text that one answer opens to derive the titles of old conversations. */
const TITLE_BYTES = 4 * 1024 * 1024;

/** Opens the titles of conversations for answers. Lets other work run in between. */
@Injectable()
export class ConversationSummaries {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {}

  async of(conversations: readonly ListedConversation[]): Promise<ConversationSummary[]> {
    const placed = conversations.flatMap(({ row: { project_id, user_id } }) => (project_id ? [{ project_id, user_id }] : []));
    const isMember = placed.length > 0 ? await this.queries.execute(new Memberships(placed)) : () => false;
    const summaries: ConversationSummary[] = [];
    let bytes = TITLE_BYTES;
    for (const { row, nanoDollars } of conversations) {
      if (isTurnOver()) await nextTurn();
      const project_id = row.project_id ?? null;
      let title = row.title === null ? null : await this.vault.openOften(row.title as Sealed);
      if (row.title === null && bytes > 0) {
        const { question } = await this.queries.execute(new FirstExchange(row.conversation_id));
        bytes -= question?.length ?? 0;
        title = titleByRule((question && (await this.vault.open(question as Sealed))) ?? '');
      }
      summaries.push({
        conversation_id: row.conversation_id,
        title: title ?? UNTITLED,
        create_time: row.started_at / 1000,
        last_message_time: Instant.toSeconds(row.last_message_at),
        bot_id: row.bot_id,
        model: row.model,
        total_price: dollars(nanoDollars),
        project_id: project_id && isMember({ project_id, user_id: row.user_id }) ? project_id : null,
        pinned: typeof row.pinned_list === 'string',
        memory: row.is_without_memory !== true,
      });
    }
    return summaries;
  }
}
