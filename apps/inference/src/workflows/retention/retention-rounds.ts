import { Injectable } from '@nestjs/common';
import { Streams } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import { areEqual, retention, RETENTION_STREAM, type RetentionRule } from '../../domain/retention/retention.ts';
import { ConversationRemoval } from '../conversation-removal.ts';
import { MessageFileRemoval } from '../files/message-file-removal.ts';
import { unlessGone } from '../unless-gone.ts';
import { FoundByRules } from './found-by-rules.ts';
import { Pace } from './pace.ts';

/** After this many failures a rule is skipped for the rest of the round, which continues with the other rules. */
const MOST_FAILURES = 100;

/**
 * Applies retention rules to conversations and to files of messages. Several processes may do this at once: each item is removed by one of
 * them. Analytics applies rules of the kind `exports`. Rules of an unknown kind are left to the newer release that created them.
 */
@Injectable()
export class RetentionRounds {
  private isStopping = false;

  constructor(
    private readonly found: FoundByRules,
    private readonly streams: Streams,
    private readonly removal: ConversationRemoval,
    private readonly files: MessageFileRemoval,
    shutdown: ShutdownPlan,
  ) {
    shutdown.stop('consumers', 'inference: removal by retention rules', () => {
      this.isStopping = true;
    });
  }

  /** Applies all rules once. Rejects at the end with all failures. The next round tries them again. */
  async deleteInactive(): Promise<void> {
    const failures: unknown[] = [];
    for (const [ruleId, rule] of Object.entries(await this.rules()))
      if (rule.isEnabled) await this.apply(ruleId, rule, failures).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} conversations, messages or rules could not be handled`);
  }

  private async apply(ruleId: string, rule: RetentionRule, failures: unknown[]): Promise<void> {
    if (rule.kind === 'conversations')
      await this.remove(ruleId, rule, failures, this.found.conversations(rule), (row) => this.removal.expireBy(ruleId, row));
    else if (rule.kind === 'uploads')
      await this.remove(ruleId, rule, failures, this.found.files(rule), (row) => this.files.expireBy(ruleId, row));
  }

  private async remove<Row>(
    ruleId: string,
    rule: RetentionRule,
    failures: unknown[],
    pages: AsyncIterable<readonly Row[]>,
    expire: (row: Row) => Promise<void>,
  ): Promise<void> {
    const before = failures.length;
    const pace = new Pace();
    try {
      for await (const page of pages) {
        if (this.isStopping) return;
        if (page.length === 0) continue;
        // A rule that was changed or removed in the meantime removes nothing more.
        const now = (await this.rules())[ruleId];
        if (!now || !areEqual(now, rule)) return;
        for (const row of page) {
          if (this.isStopping || failures.length - before >= MOST_FAILURES) return;
          await pace.begin(() => unlessGone(expire(row)).catch((error: unknown) => void failures.push(error)));
        }
        // The next page is read after the removals of this one.
        await pace.end();
      }
    } finally {
      await pace.end();
    }
  }

  private async rules(): Promise<Readonly<Record<string, RetentionRule>>> {
    return (await this.streams.load(retention, RETENTION_STREAM)).rules;
  }
}
