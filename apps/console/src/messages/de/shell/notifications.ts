import type { notifications as English } from '../../en/shell/notifications.ts';
import { plural } from '../../plural.ts';

/** Texts of the bell and its list. */
export const notifications: typeof English = {
  title: 'Benachrichtigungen',
  unread: (n) => plural(n, { one: 'Benachrichtigungen ({n} ungelesen)', other: 'Benachrichtigungen ({n} ungelesen)' }),
  isNew: 'Neu',
  botShared: 'Ein Bot wurde mit Ihnen geteilt',
  promptShared: 'Ein Prompt wurde mit Ihnen geteilt',
  projectShared: 'Ein Projekt wurde mit Ihnen geteilt',
  approvalWanted: 'Eine Antwort wartet auf Ihre Genehmigung',
  exportReady: 'Der Export Ihrer Daten ist fertig',
  exportUntil: (time) => `Er kann bis ${time} heruntergeladen werden.`,
  ownBudget: 'Ihr Budget',
  budgetOfAll: 'Budget aller Benutzer',
  budgetOf: (name) => `Budget von ${name}`,
  otherBudget: 'Ein anderes Budget',
  spent: (spent, limit) => `${spent} von ${limit} verbraucht`,
  markRead: 'Alle als gelesen markieren',
  emptyTitle: 'Keine Benachrichtigungen',
  emptyText:
    'Hier sehen Sie, was mit Ihnen geteilt wurde, welche Antworten auf Ihre Genehmigung warten und wann Exporte fertig oder Budgets fast aufgebraucht sind.',
  allow: 'Auch in diesem Browser benachrichtigen',
  denied: 'Der Browser blockiert Benachrichtigungen dieser Seite. Sie können das in seinen Einstellungen ändern.',
};
