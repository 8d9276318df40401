/** The names of the pages in pages/admin. Their texts are loaded with them. */
export const admin = {
  pages: {
    overview: 'Overview',
    users: 'Users',
    groups: 'Groups',
    invitations: 'Invitations',
    serviceAccounts: 'Service accounts',
    tokens: 'Access tokens',
    costs: 'Costs',
    calls: 'Calls',
    bots: 'Bots',
    apis: 'Published APIs',
    audit: 'Audit log',
    models: 'Models and prices',
    budgets: 'Budgets',
    retention: 'Retention',
    holds: 'Holds',
    exports: 'Exports',
    webhooks: 'Webhooks',
    identity: 'Identity providers',
    health: 'Health',
  },
};
