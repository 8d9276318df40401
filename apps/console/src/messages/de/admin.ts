import type { admin as English } from '../en/admin.ts';

/** The names of the pages in pages/admin. Their texts are loaded with them. */
export const admin: typeof English = {
  pages: {
    overview: 'Übersicht',
    users: 'Benutzer',
    groups: 'Gruppen',
    invitations: 'Einladungen',
    serviceAccounts: 'Dienstkonten',
    tokens: 'Zugriffstoken',
    costs: 'Kosten',
    calls: 'Aufrufe',
    bots: 'Bots',
    quality: 'Qualität',
    questions: 'Fragen',
    apis: 'Veröffentlichte APIs',
    audit: 'Audit-Log',
    models: 'Modelle und Preise',
    guardrails: 'Guardrails',
    budgets: 'Budgets',
    retention: 'Aufbewahrung',
    holds: 'Löschsperren',
    exports: 'Exporte',
    webhooks: 'Webhooks',
    identity: 'Identitätsanbieter',
    health: 'Systemzustand',
  },
};
