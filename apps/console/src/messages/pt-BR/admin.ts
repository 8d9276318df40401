import type { admin as English } from '../en/admin.ts';

export const admin: typeof English = {
  pages: {
    overview: 'Visão geral',
    users: 'Usuários',
    groups: 'Grupos',
    invitations: 'Convites',
    serviceAccounts: 'Contas de serviço',
    tokens: 'Tokens de acesso',
    costs: 'Custos',
    calls: 'Chamadas',
    bots: 'Bots',
    quality: 'Qualidade',
    questions: 'Consultas',
    apis: 'APIs publicadas',
    audit: 'Log de auditoria',
    models: 'Modelos e preços',
    guardrails: 'Guardrails',
    budgets: 'Orçamentos',
    retention: 'Retenção',
    holds: 'Preservações',
    exports: 'Exportações',
    webhooks: 'Webhooks',
    identity: 'Provedores de identidade',
    health: 'Integridade',
  },
};
