import type { admin as English } from '../en/admin.ts';

/** The names of the pages in pages/admin. Their texts are loaded with them. */
export const admin: typeof English = {
  pages: {
    overview: 'Vue d’ensemble',
    users: 'Utilisateurs',
    groups: 'Groupes',
    invitations: 'Invitations',
    serviceAccounts: 'Comptes de service',
    tokens: 'Jetons d’accès',
    costs: 'Coûts',
    calls: 'Appels',
    bots: 'Bots',
    quality: 'Qualité',
    questions: 'Questions',
    apis: 'API publiées',
    audit: 'Journal d’audit',
    models: 'Modèles et prix',
    guardrails: 'Garde-fous',
    budgets: 'Budgets',
    retention: 'Conservation',
    holds: 'Gels juridiques',
    exports: 'Exports',
    webhooks: 'Webhooks',
    identity: 'Fournisseurs d’identité',
    health: 'État des services',
  },
};
