import { type Decider, type Instant, refuse } from '@parlance/decider';

/** The conversations to which a rule applies, or to whose files. Conversations of a published API belong to their bot, and to no group. */
export type RetentionScope =
  | { readonly appliesTo: 'all' }
  | { readonly appliesTo: 'bot'; readonly botId: string }
  | { readonly appliesTo: 'group'; readonly group: string };

/** What a rule removes: conversations, the files of exports that analytics writes for administrators, or the files of messages. */
export const RETENTION_KINDS = ['conversations', 'exports', 'uploads'] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

export interface RetentionTerms {
  readonly kind: RetentionKind;
  /**
   * Days after which data is removed. They count from the last message or requested reply of a conversation, from the end of the day of an
   * export, and from the message of a file.
   */
  readonly inactiveDays: number;
  readonly scope: RetentionScope;
  readonly isEnabled: boolean;
}

export interface RetentionRule extends RetentionTerms {
  readonly createdAt: Instant;
  /** The rule's ETag: 1 for a new rule, one more with each change. */
  readonly version: number;
}

export type RetentionCommand =
  | { type: 'Create'; ruleId: string; terms: RetentionTerms; now: Instant }
  /** With `ifVersion`, the rule must still have this version. */
  | { type: 'Change'; ruleId: string; ifVersion?: number | undefined; changes: Partial<Omit<RetentionTerms, 'kind'>> }
  | { type: 'Remove'; ruleId: string; ifVersion?: number | undefined };

/** Rules of earlier releases have no kind: they apply to conversations. */
export type StoredTerms = Omit<RetentionTerms, 'kind'> & { readonly kind?: RetentionKind };

export type RetentionEvent =
  | ({ type: 'RetentionRuleCreated'; ruleId: string; at: Instant } & StoredTerms)
  /** The event has all terms, including unchanged ones. */
  | ({ type: 'RetentionRuleChanged'; ruleId: string } & StoredTerms)
  | { type: 'RetentionRuleRemoved'; ruleId: string };

export interface Retention {
  /** Rules by ID, in the order of their creation. */
  readonly rules: Readonly<Record<string, RetentionRule>>;
  /** IDs of the rules that were removed last. A repeated request does not create them again. */
  readonly removed: readonly string[];
}

export const MOST_RETENTION_RULES = 100;
const REMOVED_KEPT = 100;

/** The rules that remove conversations, exports and files. All are in one stream, which limits their number. */
export const retention: Decider<RetentionCommand, RetentionEvent, Retention> = {
  initialState: { rules: {}, removed: [] },
  snapshots: { every: 20, shape: 'retention-3' },

  decide(command, { rules, removed }) {
    const { ruleId } = command;
    const rule = rules[ruleId];
    switch (command.type) {
      case 'Create':
        if (rule) return [];
        if (removed.includes(ruleId)) return retentionRuleNotFound();
        if (Object.keys(rules).length >= MOST_RETENTION_RULES)
          return refuse(
            'conflict',
            'too_many_retention_rules',
            `There are already ${MOST_RETENTION_RULES} retention rules, the limit. Remove one first.`,
          );
        return isPossible(command.terms)
          ? [{ type: 'RetentionRuleCreated', ruleId, at: command.now, ...command.terms }]
          : retentionScopeNotPossible();
      case 'Change': {
        if (!rule) return retentionRuleNotFound();
        if (isStale(command, rule)) return retentionRuleStale();
        if (!isKnown(rule)) return retentionKindNotKnown();
        const terms = { ...termsOf(rule), ...command.changes };
        if (!isPossible(terms)) return retentionScopeNotPossible();
        return areEqual(terms, rule) ? [] : [{ type: 'RetentionRuleChanged', ruleId, ...terms }];
      }
      case 'Remove':
        if (!rule) return retentionRuleNotFound();
        return isStale(command, rule) ? retentionRuleStale() : [{ type: 'RetentionRuleRemoved', ruleId }];
    }
  },

  evolve({ rules, removed }, event) {
    switch (event.type) {
      case 'RetentionRuleCreated':
        return { rules: { ...rules, [event.ruleId]: { ...termsOf(event), createdAt: event.at, version: 1 } }, removed };
      case 'RetentionRuleChanged': {
        const { createdAt, version } = rules[event.ruleId]!;
        return { rules: { ...rules, [event.ruleId]: { ...termsOf(event), createdAt, version: version + 1 } }, removed };
      }
      case 'RetentionRuleRemoved': {
        const { [event.ruleId]: _, ...rest } = rules;
        return { rules: rest, removed: [...removed, event.ruleId].slice(-REMOVED_KEPT) };
      }
    }
  },
};

const termsOf = ({ kind = 'conversations', inactiveDays, scope, isEnabled }: StoredTerms): RetentionTerms => ({
  kind,
  inactiveDays,
  scope,
  isEnabled,
});

const isStale = ({ ifVersion }: { readonly ifVersion?: number | undefined }, { version }: RetentionRule): boolean =>
  ifVersion !== undefined && ifVersion !== version;

/** An export file has conversations of many users and bots. */
const isPossible = ({ kind, scope }: RetentionTerms): boolean => kind !== 'exports' || scope.appliesTo === 'all';

/** Whether this release knows the rule's kind. A rule of a newer release is neither applied nor changed. */
export const isKnown = ({ kind }: RetentionTerms): boolean => RETENTION_KINDS.includes(kind);

/** Whether two rules remove the same data. */
export const areEqual = (a: RetentionTerms, b: RetentionTerms): boolean =>
  a.kind === b.kind && a.inactiveDays === b.inactiveDays && a.isEnabled === b.isEnabled && nameOf(a.scope) === nameOf(b.scope);

function nameOf(scope: RetentionScope): string {
  switch (scope.appliesTo) {
    case 'all':
      return 'all';
    case 'bot':
      return `bot ${scope.botId}`;
    case 'group':
      return `group ${scope.group}`;
  }
}

export const retentionRuleNotFound = () =>
  refuse('missing', 'retention_rule_not_found', 'There is no retention rule with this ID. See the list of rules.');

const retentionRuleStale = () =>
  refuse(
    'stale',
    'version_stale',
    'The retention rule has changed since it was read. Read the list of rules again, then repeat the change.',
  );

export const retentionKindNotKnown = () =>
  refuse(
    'conflict',
    'retention_kind_not_known',
    'A newer release created this rule for a kind of data that this release does not know. The rule is not applied. It can be removed.',
  );

const retentionScopeNotPossible = () =>
  refuse(
    'invalid',
    'retention_scope_not_possible',
    'A rule for exports applies to all of them, because each file has conversations of many users. Send "applies_to": "all".',
  );

/** The enabled rule with the fewest days for exports; null if there is none. */
export function ruleForExports({ rules }: Retention): { readonly ruleId: string; readonly days: number } | null {
  const wanted = Object.entries(rules).filter(([, { kind, isEnabled }]) => kind === 'exports' && isEnabled);
  const [shortest] = wanted.sort(([, one], [, other]) => one.inactiveDays - other.inactiveDays);
  return shortest ? { ruleId: shortest[0], days: shortest[1].inactiveDays } : null;
}

export const RETENTION_STREAM = 'retention';
