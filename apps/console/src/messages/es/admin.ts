import type { admin as English } from '../en/admin.ts';

/** The names of the pages in pages/admin. Their texts are loaded with them. */
export const admin: typeof English = {
  pages: {
    overview: 'Resumen',
    users: 'Usuarios',
    groups: 'Grupos',
    invitations: 'Invitaciones',
    serviceAccounts: 'Cuentas de servicio',
    tokens: 'Tokens de acceso',
    costs: 'Costos',
    calls: 'Llamadas',
    bots: 'Bots',
    quality: 'Calidad',
    questions: 'Consultas',
    apis: 'API publicadas',
    audit: 'Registro de auditoría',
    models: 'Modelos y precios',
    guardrails: 'Barreras de protección',
    budgets: 'Presupuestos',
    retention: 'Conservación',
    holds: 'Retenciones legales',
    exports: 'Exportaciones',
    webhooks: 'Webhooks',
    identity: 'Proveedores de identidad',
    health: 'Estado del sistema',
  },
};
