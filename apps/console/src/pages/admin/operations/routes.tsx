import { createRoute } from '@tanstack/react-router';
import { adminRoute } from '../../../app/root-route.tsx';
import { auditSearch } from './audit/audit-search.ts';
import { exportsSearch } from './exports/exports-search.ts';
import { pagedSearch } from '../../../app/search-params.ts';
import { webhookSearch } from './webhooks/webhook-search.ts';
import { connectSearch } from './models/connect/connect-search.ts';
import { adminPage } from '../admin-page.ts';

export const operationRoutes = [
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/audit',
    validateSearch: auditSearch,
    component: adminPage('AuditPage'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/models',
    validateSearch: pagedSearch,
    component: adminPage('ModelsPage'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/models/connect',
    validateSearch: connectSearch,
    component: adminPage('ConnectPage'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/calls',
    component: adminPage('CallsPage'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/guardrails',
    component: adminPage('GuardrailsPage'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/budgets',
    validateSearch: pagedSearch,
    component: adminPage('BudgetsPage'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/retention',
    component: adminPage('RetentionPage'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/holds',
    validateSearch: pagedSearch,
    component: adminPage('HoldsPage'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/exports',
    validateSearch: exportsSearch,
    component: adminPage('ExportsPage'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/webhooks',
    validateSearch: pagedSearch,
    component: adminPage('WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/webhooks/$webhookId',
    validateSearch: webhookSearch,
    component: adminPage('WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/identity',
    validateSearch: pagedSearch,
    component: adminPage('IdentityPage'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/health',
    component: adminPage('HealthPage'),
  }),
] as const;
