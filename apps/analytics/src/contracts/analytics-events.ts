import {
  BudgetNearlyReached,
  BudgetReached,
  BudgetRemoved,
  BudgetSet,
  CallBudgetNearlyReached,
  CallBudgetReached,
  CallBudgetSet,
  ConfigurationChanged,
  DeadLettersRedriveRequested,
  ExportExpired,
  ExportWritten,
  WebhookChanged,
  WebhookCreated,
  WebhookDeliveryRetried,
  WebhookDisabled,
  WebhookRemoved,
  WebhookReplayRequested,
  WebhookSecretRotated,
} from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import { publishing, say } from '@parlance/foundation';
import type { BudgetEvent, BudgetTerms } from '../domain/budget.ts';
import type { ConfigurationEvent } from '../domain/configuration.ts';
import type { ExportEvent } from '../domain/export.ts';
import type { WebhookEvent, WebhookTerms } from '../domain/webhook.ts';
import type { RedriveEvent } from '../domain/redrive.ts';

const termsOf = (budgetId: string, { period, mode, limit }: BudgetTerms) => ({
  budget_id: budgetId,
  period,
  mode,
  limit_nano_dollars: limit,
});

/** The subject, for the version of the event that has its scope. */
function subjectOf({ scope, scopeId }: BudgetTerms) {
  if (scope === 'token' || scope === 'cost_centre') return { isOfCalls: true, subject: { scope, scope_id: scopeId! } } as const;
  return { isOfCalls: false, subject: { scope, scope_id: scopeId } } as const;
}

const spendingOf = ({ firstDay, spent }: { readonly firstDay: string; readonly spent: number }) => ({
  period_start: firstDay,
  spent_nano_dollars: spent,
});

const CHANGEABLE = [
  ['url', 'url'],
  ['eventTypes', 'event_types'],
  ['description', 'description'],
  ['enabled', 'enabled'],
] as const satisfies readonly (readonly [keyof WebhookTerms, string])[];

export const publishAnalytics = publishing<BudgetEvent | ConfigurationEvent | ExportEvent | RedriveEvent | WebhookEvent>('analytics', {
  BudgetSet(event, id) {
    const { isOfCalls, subject } = subjectOf(event);
    return isOfCalls ? say(CallBudgetSet, { ...termsOf(id, event), ...subject }) : say(BudgetSet, { ...termsOf(id, event), ...subject });
  },
  BudgetRemoved: (_, id) => say(BudgetRemoved, { budget_id: id }),
  ConfigurationChanged: ({ keys }) => say(ConfigurationChanged, { keys: [...keys] }),
  DeadLettersRedriveRequested: ({ service, ids }, id) =>
    say(DeadLettersRedriveRequested, { redrive_id: id, dead_letter_service: service, dead_letter_ids: ids && [...ids] }),
  BudgetReached(event, id) {
    const [{ isOfCalls, subject }, rest] = [subjectOf(event), { ...termsOf(id, event), ...spendingOf(event) }];
    return isOfCalls ? say(CallBudgetReached, { ...rest, ...subject }) : say(BudgetReached, { ...rest, ...subject });
  },
  BudgetNearlyReached(event, id) {
    const [{ isOfCalls, subject }, rest] = [subjectOf(event), { ...termsOf(id, event), ...spendingOf(event) }];
    return isOfCalls ? say(CallBudgetNearlyReached, { ...rest, ...subject }) : say(BudgetNearlyReached, { ...rest, ...subject });
  },
  ExportWritten: ({ key, rows, bytes }, period) => say(ExportWritten, { period, key, rows, bytes }),
  ExportExpired: ({ ruleId }, period) => (ruleId === undefined ? null : say(ExportExpired, { period, rule_id: ruleId })),
  WebhookCreated: ({ eventTypes, enabled }, id) => say(WebhookCreated, { webhook_id: id, event_types: [...eventTypes], enabled }),
  WebhookChanged: (event, id) =>
    say(WebhookChanged, { webhook_id: id, changed: CHANGEABLE.flatMap(([field, name]) => (event[field] === undefined ? [] : [name])) }),
  WebhookSecretRotated: ({ previousUntil }, id) =>
    say(WebhookSecretRotated, { webhook_id: id, previous_until: Instant.toString(previousUntil) }),
  WebhookDisabledAsGone: (_, id) => say(WebhookDisabled, { webhook_id: id }),
  WebhookReplayRequested: ({ from }, id) => say(WebhookReplayRequested, { webhook_id: id, from: Instant.toString(from) }),
  WebhookDeliveryRetryRequested: ({ deliveryId }, id) => say(WebhookDeliveryRetried, { webhook_id: id, event_id: deliveryId }),
  WebhookRemoved: (_, id) => say(WebhookRemoved, { webhook_id: id }),
});
