import { Injectable } from '@nestjs/common';
import { Streams } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import { areEqual, retention, RETENTION_STREAM, type RetentionRule } from '../../domain/retention/retention.ts';
import { ResponseRemoval } from '../calls/stored/response-removal.ts';
import type { ListedConversationRow } from '../../projections/conversation-list.ts';
import { ConversationRemoval } from '../conversation-removal.ts';
import { MessageFileRemoval } from '../files/message-file-removal.ts';
import { unlessGone } from '../unless-gone.ts';
import { FoundByRules } from './found-by-rules.ts';
import { Pace } from './pace.ts';

/** After this many failures a round leaves a rule, and continues with the other rules. */
const MOST_FAILURES = 100;
/** Failures that the error of a round contains. The rest is counted. */
const MOST_KEPT = 10;

/** Where a rule was left. The next round continues there, so that items that always fail do not block later ones. */
interface Left {
  readonly ruleId: string;
  readonly rule: RetentionRule;
  readonly pages: AsyncIterator<readonly unknown[]>;
}

/** A rule, and one kind of the data that it removes. */
interface Applied {
  readonly ruleId: string;
  readonly rule: RetentionRule;
  readonly data: 'conversations' | 'responses' | 'files';
}

/**
 * Applies retention rules to conversations, stored responses and files of messages. Several processes may do this at once: each item is removed by
 * one of them. Analytics applies rules of the kind `exports`. Rules of an unknown kind are left to the newer release that created them.
 */
@Injectable()
export class RetentionRounds {
  private isStopping = false;
  /** By the rule's ID and the kind of data. */
  private left = new Map<string, Left>();

  constructor(
    private readonly found: FoundByRules,
    private readonly streams: Streams,
    private readonly removal: ConversationRemoval,
    private readonly files: MessageFileRemoval,
    private readonly responses: ResponseRemoval,
    shutdown: ShutdownPlan,
  ) {
    shutdown.stop('consumers', 'inference: removal by retention rules', () => {
      this.isStopping = true;
    });
  }

  /** Applies all rules once. Rejects at the end with some failures. A later round tries them again. */
  async deleteInactive(): Promise<void> {
    const failures: unknown[] = [];
    const rules = await this.rules();
    this.left = new Map([...this.left].filter(([, { ruleId }]) => Object.hasOwn(rules, ruleId)));
    for (const [ruleId, rule] of Object.entries(rules))
      if (rule.isEnabled) await this.apply(ruleId, rule, failures).catch((error: unknown) => failures.push(error));
    if (failures.length === 0) return;
    throw new AggregateError(failures.slice(0, MOST_KEPT), `${failures.length} conversations, messages or rules could not be handled`);
  }

  private async apply(ruleId: string, rule: RetentionRule, failures: unknown[]): Promise<void> {
    const { found } = this;
    if (rule.kind === 'uploads')
      return this.remove({ ruleId, rule, data: 'files' }, failures, found.files(rule), (row) => this.files.expireBy(ruleId, row));
    if (rule.kind !== 'conversations') return;
    const expire = (row: ListedConversationRow) => this.removal.expireBy(ruleId, row);
    await this.remove({ ruleId, rule, data: 'conversations' }, failures, found.conversations(rule), expire);
    await this.remove({ ruleId, rule, data: 'responses' }, failures, found.responses(rule), (row) => this.responses.expireBy(ruleId, row));
  }

  private async remove<Row>(
    { ruleId, rule, data }: Applied,
    failures: unknown[],
    fromStart: AsyncIterator<readonly Row[]>,
    expire: (row: Row) => Promise<void>,
  ): Promise<void> {
    const before = failures.length;
    const pace = new Pace();
    const key = `${ruleId} ${data}`;
    const left = this.left.get(key);
    this.left.delete(key);
    const pages = left && areEqual(left.rule, rule) ? (left.pages as AsyncIterator<readonly Row[]>) : fromStart;
    try {
      for (let next = await pages.next(); !next.done; next = await pages.next()) {
        const page = next.value;
        if (this.isStopping) return;
        if (page.length === 0) continue;
        // A rule that was changed or removed in the meantime removes nothing more.
        const now = (await this.rules())[ruleId];
        if (!now || !areEqual(now, rule)) return;
        for (const row of page) {
          if (this.isStopping) return;
          if (failures.length - before >= MOST_FAILURES) return void this.left.set(key, { ruleId, rule, pages });
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
