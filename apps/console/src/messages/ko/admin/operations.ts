import type { adminOperations as English } from '../../en/admin/operations.ts';
import { audit } from './operations/audit.ts';
import { budgets } from './operations/budgets.ts';
import { adminCalls } from './operations/calls.ts';
import { connect, modelFields, providers } from './operations/catalogue.ts';
import { exportTexts } from './operations/exports.ts';
import { guardrails } from './operations/guardrails.ts';
import { health } from './operations/health.ts';
import { holds } from './operations/holds.ts';
import { identity } from './operations/identity.ts';
import { models, restatements } from './operations/models.ts';
import { retention } from './operations/retention.ts';
import { routes } from './operations/routes.ts';
import { webhooks } from './operations/webhooks.ts';

/** Texts of audit log, calls, models, their providers and routes, guardrails, budgets, retention, holds, exports, webhooks, identity providers and health. */
export const adminOperations: typeof English = {
  audit,
  budgets,
  calls: adminCalls,
  connect,
  exports: exportTexts,
  guardrails,
  health,
  holds,
  identity,
  modelFields,
  models,
  providers,
  restatements,
  retention,
  routes,
  webhooks,
};
