import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@parlance/decider';
import { nextTurn } from '@parlance/event-loop';
import { Streams } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import { conversationNotFound } from '../../domain/conversation-refusals.ts';
import { areEqual, retention, RETENTION_STREAM, type RetentionRule } from '../../domain/retention/retention.ts';
import type { ListedConversationRow } from '../../projections/conversation-list.ts';
import { ConversationRemoval, DELETED_AT_ONCE } from '../conversation-removal.ts';
import { FoundByRules } from './found-by-rules.ts';

/** Failures of one rule in one round. The rule ends with the next one, and the round goes on with the other rules. */
const MOST_FAILURES = 100;

/** In milliseconds. A removal that waits for another service is no reason to pause for as long. */
const LONGEST_PAUSE = 50;

/** Deletes the conversations that retention rules name. Several processes may do the same: each conversation is deleted by one of them. */
@Injectable()
export class RetentionRounds {
  private isStopping = false;

  constructor(
    private readonly found: FoundByRules,
    private readonly streams: Streams,
    private readonly removal: ConversationRemoval,
    shutdown: ShutdownPlan,
  ) {
    shutdown.stop('consumers', 'inference: deletion of conversations by retention rules', () => {
      this.isStopping = true;
    });
  }

  /** One round over all rules. Rejects in the end with what failed, which the next round takes up again. */
  async deleteInactive(): Promise<void> {
    const failures: unknown[] = [];
    for (const [ruleId, rule] of Object.entries(await this.rules()))
      if (rule.isEnabled && rule.kind === 'conversations')
        await this.deleteBy(ruleId, rule, failures).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} conversations or rules could not be handled`);
  }

  private async deleteBy(ruleId: string, rule: RetentionRule, failures: unknown[]): Promise<void> {
    const before = failures.length;
    for await (const page of this.found.pages(rule)) {
      if (this.isStopping) return;
      if (page.length === 0) continue;
      // A rule that was changed or removed meanwhile deletes nothing more.
      const now = (await this.rules())[ruleId];
      if (!now || !areEqual(now, rule)) return;
      for (let begin = 0; begin < page.length; begin += DELETED_AT_ONCE) {
        if (this.isStopping || failures.length - before >= MOST_FAILURES) return;
        await nextTurn();
        const begun = performance.now();
        const batch = page.slice(begin, begin + DELETED_AT_ONCE);
        await Promise.all(batch.map((row) => this.delete(ruleId, row).catch((error: unknown) => failures.push(error))));
        // A round takes a third of the time at most, so that commands hardly wait for it.
        await pause(Math.min(2 * (performance.now() - begun), LONGEST_PAUSE));
      }
    }
  }

  private async delete(ruleId: string, { conversation_id, user_id, last_message_id }: ListedConversationRow): Promise<void> {
    try {
      await this.removal.expireBy(ruleId, conversation_id, user_id, last_message_id);
    } catch (error) {
      // Its user, or another process, was faster.
      if (!(error instanceof Refusal && error.code === conversationNotFound().code)) throw error;
    }
  }

  private async rules(): Promise<Readonly<Record<string, RetentionRule>>> {
    return (await this.streams.load(retention, RETENTION_STREAM)).rules;
  }
}
