import { z } from 'zod';
import { actionOn } from '../audit-action.ts';
import { type DataOf, id, publicEvent } from '../public-event.ts';

const onRetentionRule = actionOn('retention_rule');

const retentionRule = {
  rule_id: id.describe('ID of the retention rule.'),
  kind: z
    .enum(['conversations', 'exports', 'uploads'])
    .optional()
    .describe(
      'What it removes: conversations, the files of exports, or the images and attachments of messages. Absent in rules of earlier releases, which delete conversations.',
    ),
  inactive_days: z
    .int()
    .min(1)
    .max(3_650)
    .describe(
      'Days until removal: after the last message of a conversation, after the end of the day of an export, or after the message of an upload.',
    ),
  applies_to: z
    .enum(['all', 'bot', 'group'])
    .describe(
      'The conversations that it deletes, or whose uploads it removes: all, conversations with a bot, or conversations of the members of a group. Always `all` for exports.',
    ),
  bot_id: id.optional().describe('ID of the bot; present for `bot`.'),
  group: z.string().min(1).max(200).optional().describe('Name of the group; present for `group`.'),
  enabled: z.boolean().describe('Whether it is applied.'),
};

export const RetentionRuleCreated = publicEvent(
  'parlance.inference.retention-rule-created.v1',
  'Published when an administrator creates a rule by which conversations are deleted, or exports or uploads are removed.',
  z.strictObject(retentionRule),
  ({ rule_id, ...terms }) => onRetentionRule('create_retention_rule', rule_id, terms),
);
export type RetentionRuleCreated = DataOf<typeof RetentionRuleCreated>;

export const RetentionRuleChanged = publicEvent(
  'parlance.inference.retention-rule-changed.v1',
  'Published when an administrator changes a retention rule. It contains the complete rule.',
  z.strictObject(retentionRule),
  ({ rule_id, ...terms }) => onRetentionRule('change_retention_rule', rule_id, terms),
);
export type RetentionRuleChanged = DataOf<typeof RetentionRuleChanged>;

export const RetentionRuleRemoved = publicEvent(
  'parlance.inference.retention-rule-removed.v1',
  'Published when an administrator removes a retention rule. The rule no longer deletes anything.',
  z.strictObject({ rule_id: retentionRule.rule_id }),
  ({ rule_id }) => onRetentionRule('remove_retention_rule', rule_id),
);
export type RetentionRuleRemoved = DataOf<typeof RetentionRuleRemoved>;
