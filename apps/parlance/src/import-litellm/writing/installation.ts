import { markIn } from '../mapping/key.ts';
import type { AdminApi, Answer } from './admin-api.ts';

export interface KnownToken {
  readonly tokenId: string;
  readonly accountId: string;
}

/** What the installation has before the import. Empty if a dry run does not look at one. */
export interface Installation {
  readonly providers: Map<string, Answer>;
  readonly models: Map<string, Answer>;
  readonly routes: Map<string, Answer>;
  readonly groups: Set<string>;
  /** Service accounts of the group, by name. */
  readonly accounts: Map<string, string>;
  /** The number of tokens of each user and service account. */
  readonly tokenCounts: Map<string, number>;
  /** Tokens of earlier runs, by their marks, also those of other groups. */
  readonly tokens: Map<string, KnownToken>;
  /** The IDs of budgets, by `budgetKey`. */
  readonly budgets: Map<string, string>;
}

export const budgetKey = (scope: unknown, scopeId: unknown, period: unknown): string => JSON.stringify([scope, scopeId ?? null, period]);

export const emptyInstallation = (): Installation => ({
  providers: new Map(),
  models: new Map(),
  routes: new Map(),
  groups: new Set(),
  accounts: new Map(),
  tokenCounts: new Map(),
  tokens: new Map(),
  budgets: new Map(),
});

/** `group`: the group that owns the service accounts of imports. Null if no keys are imported: then a personal access token may be used. */
export async function readInstallation(api: AdminApi, group: string | null): Promise<Installation> {
  const found = emptyInstallation();
  await readCatalogueAndBudgets(api, found);
  if (group !== null) await readTokens(api, group, found);
  return found;
}

async function readCatalogueAndBudgets(api: AdminApi, found: Installation): Promise<void> {
  for (const name of ['providers', 'routes'] as const)
    for (const entry of (await api.get(`/admin/${name}`))[name] as readonly Answer[]) found[name].set(String(entry['id']), entry);
  for await (const model of api.all('/admin/models', 'models')) found.models.set(String(model['id']), model);
  for await (const { id, scope, scope_id, period } of api.all('/admin/budgets', 'budgets'))
    found.budgets.set(budgetKey(scope, scope_id, period), String(id));
}

async function readTokens(api: AdminApi, group: string, found: Installation): Promise<void> {
  for await (const { name } of api.all('/admin/groups', 'groups')) found.groups.add(String(name));
  for await (const { id, name, group: owner } of api.all('/admin/service-accounts', 'service_accounts'))
    if (owner === group) found.accounts.set(String(name), String(id));
  for await (const { token_id, user_id, description } of api.all('/admin/tokens', 'tokens')) {
    const accountId = String(user_id);
    found.tokenCounts.set(accountId, (found.tokenCounts.get(accountId) ?? 0) + 1);
    const mark = markIn(String(description));
    if (mark !== null) found.tokens.set(mark, { tokenId: String(token_id), accountId });
  }
}
