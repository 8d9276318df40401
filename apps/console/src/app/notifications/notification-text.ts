import type { Notification } from '@parlance/client/types';
import type { notifications } from '../../messages/en/shell/notifications.ts';
import { formatMoney, formatTime } from '../../messages/format.ts';

type Texts = typeof notifications;

export interface DescribedNotification {
  readonly title: string;
  readonly text: string;
  /** A path of the console. */
  readonly path: string;
}

/** What a notification says to a user, and where it leads. Null for a kind that this console does not know. */
export function described(notification: Notification, userId: string, texts: Texts): DescribedNotification | null {
  const { bot, prompt, project, approval, budget, export: exported } = notification;
  if (bot) return { title: bot.title, text: texts.botShared, path: `/store/${encodeURIComponent(bot.id)}` };
  if (prompt) return { title: prompt.title, text: texts.promptShared, path: `/prompts/${encodeURIComponent(prompt.id)}` };
  if (project) return { title: project.title, text: texts.projectShared, path: `/projects/${encodeURIComponent(project.id)}` };
  if (approval) return { title: approval.title, text: texts.approvalWanted, path: `/c/${encodeURIComponent(approval.conversation_id)}` };
  if (exported) return { title: texts.exportReady, text: texts.exportUntil(formatTime(exported.expires_at)), path: '/account/data' };
  return budget && ofBudget(budget, userId, texts);
}

function ofBudget(budget: NonNullable<Notification['budget']>, userId: string, texts: Texts): DescribedNotification {
  const isOwn = budget.scope === 'user' && budget.scope_id === userId;
  const named = budget.name === null ? texts.otherBudget : texts.budgetOf(budget.name);
  return {
    title: isOwn ? texts.ownBudget : budget.scope === 'all' ? texts.budgetOfAll : named,
    text: texts.spent(formatMoney(budget.spent), formatMoney(budget.limit)),
    path: isOwn ? '/account/usage' : '/admin/budgets',
  };
}
