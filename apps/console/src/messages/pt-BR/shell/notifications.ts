import type { notifications as English } from '../../en/shell/notifications.ts';
import { plural } from '../../plural.ts';

/** Texts of the bell and its list. */
export const notifications: typeof English = {
  title: 'Notificações',
  unread: (n) => plural(n, { one: 'Notificações ({n} não lida)', other: 'Notificações ({n} não lidas)' }),
  isNew: 'Novo',
  botShared: 'Um bot foi compartilhado com você',
  promptShared: 'Um prompt foi compartilhado com você',
  projectShared: 'Um projeto foi compartilhado com você',
  approvalWanted: 'Uma resposta aguarda a sua aprovação',
  exportReady: 'A exportação dos seus dados está pronta',
  exportUntil: (time) => `Ela pode ser baixada até ${time}.`,
  ownBudget: 'Seu orçamento',
  budgetOfAll: 'Orçamento de todos os usuários',
  budgetOf: (name) => `Orçamento de ${name}`,
  otherBudget: 'Outro orçamento',
  spent: (spent, limit) => `${spent} de ${limit} gastos`,
  markRead: 'Marcar tudo como lido',
  emptyTitle: 'Nenhuma notificação',
  emptyText:
    'Aqui você vê o que foi compartilhado com você, quais respostas aguardam sua aprovação e quando uma exportação está pronta ou um orçamento está quase esgotado.',
  allow: 'Notificar também neste navegador',
  denied: 'O navegador bloqueia as notificações desta página. Você pode mudar isso nas configurações dele.',
};
