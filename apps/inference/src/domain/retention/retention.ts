import { type Decider, type Instant, refuse } from '@parlance/decider';

/** The conversations that a rule is about. Conversations of a published API belong to their bot, and to no group. */
export type RetentionScope =
  | { readonly appliesTo: 'all' }
  | { readonly appliesTo: 'bot'; readonly botId: string }
  | { readonly appliesTo: 'group'; readonly group: string };

export interface RetentionTerms {
  /** A conversation goes when its last message or reply was asked for this many days ago. */
  readonly inactiveDays: number;
  readonly scope: RetentionScope;
  readonly isEnabled: boolean;
}

export interface RetentionRule extends RetentionTerms {
  readonly createdAt: Instant;
}

export type RetentionCommand =
  | { type: 'Create'; ruleId: string; terms: RetentionTerms; now: Instant }
  | { type: 'Change'; ruleId: string; changes: Partial<RetentionTerms> }
  | { type: 'Remove'; ruleId: string };

export type RetentionEvent =
  | ({ type: 'RetentionRuleCreated'; ruleId: string; at: Instant } & RetentionTerms)
  /** With all terms, also those that have not changed. */
  | ({ type: 'RetentionRuleChanged'; ruleId: string } & RetentionTerms)
  | { type: 'RetentionRuleRemoved'; ruleId: string };

export interface Retention {
  /** By ID, in the order in which they were created. */
  readonly rules: Readonly<Record<string, RetentionRule>>;
  /** IDs of the rules that were removed last. A repeated request does not create them again. */
  readonly removed: readonly string[];
}

export const MOST_RETENTION_RULES = 100;
const REMOVED_KEPT = 100;

/** The rules by which conversations are deleted. One stream has them all, so that their number is limited. */
export const retention: Decider<RetentionCommand, RetentionEvent, Retention> = {
  initialState: { rules: {}, removed: [] },
  snapshots: { every: 20, shape: 'retention-1' },

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
            `There are ${MOST_RETENTION_RULES} retention rules, which is the limit. Remove one first.`,
          );
        return [{ type: 'RetentionRuleCreated', ruleId, at: command.now, ...command.terms }];
      case 'Change': {
        if (!rule) return retentionRuleNotFound();
        const terms = { ...termsOf(rule), ...command.changes };
        return areEqual(terms, rule) ? [] : [{ type: 'RetentionRuleChanged', ruleId, ...terms }];
      }
      case 'Remove':
        return rule ? [{ type: 'RetentionRuleRemoved', ruleId }] : retentionRuleNotFound();
    }
  },

  evolve({ rules, removed }, event) {
    switch (event.type) {
      case 'RetentionRuleCreated':
        return { rules: { ...rules, [event.ruleId]: { ...termsOf(event), createdAt: event.at } }, removed };
      case 'RetentionRuleChanged': {
        const { createdAt } = rules[event.ruleId]!;
        return { rules: { ...rules, [event.ruleId]: { ...termsOf(event), createdAt } }, removed };
      }
      case 'RetentionRuleRemoved': {
        const { [event.ruleId]: _, ...rest } = rules;
        return { rules: rest, removed: [...removed, event.ruleId].slice(-REMOVED_KEPT) };
      }
    }
  },
};

const termsOf = ({ inactiveDays, scope, isEnabled }: RetentionTerms): RetentionTerms => ({ inactiveDays, scope, isEnabled });

/** Whether two rules delete the same conversations. */
export const areEqual = (a: RetentionTerms, b: RetentionTerms): boolean =>
  a.inactiveDays === b.inactiveDays && a.isEnabled === b.isEnabled && nameOf(a.scope) === nameOf(b.scope);

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
  refuse('missing', 'retention_rule_not_found', 'There is no retention rule with this ID. Look at the list of rules.');

export const RETENTION_STREAM = 'retention';
