import type { CataloguePlan } from '../mapping/catalogue-plan.ts';
import { describedKey, type Limits, mappedKey, type TokenPlan } from '../mapping/key.ts';
import { mappedTerms, type Terms } from '../mapping/terms.ts';
import type { Report } from '../report.ts';
import { rowsOf, TABLES } from '../source/database-export.ts';
import { nameOf, type Owners } from '../source/owners.ts';
import type { Accounts } from './accounts.ts';
import { Refused, type AdminApi } from './admin-api.ts';
import { type Budgets, describedBudget } from './budgets.ts';
import type { Installation } from './installation.ts';
import type { TokenFile } from './token-file.ts';

export interface KeyWriting {
  readonly api: AdminApi | null;
  readonly installation: Installation;
  readonly report: Report;
  readonly accounts: Accounts;
  readonly budgets: Budgets;
  /** Null for a dry run. */
  readonly file: TokenFile | null;
  readonly owners: Owners;
  readonly accessGroups: CataloguePlan['accessGroups'];
  readonly cacheSeconds: number;
  readonly onProgress: (count: number) => void;
}

/** Who a key belongs to in Parlance. */
interface Owner {
  readonly account: string;
  readonly isOnlyOne: boolean;
  readonly costCentre: string | null;
  readonly limits: Limits | null;
  /** What the budget of the owner limits; the ID of the account for a user. */
  readonly scope: 'cost_centre' | 'user' | null;
  readonly name: string;
}

/** Makes the tokens of the keys one by one. So if the run is killed, at most one token is missing from the file. */
export async function writeKeys(directory: string, writing: KeyWriting): Promise<void> {
  const { report } = writing;
  const now = Math.floor(Date.now() / 1_000);
  const seen = { marks: new Set<string>(), aliases: new Set<string>() };
  let count = 0;
  for await (const { line, fields } of rowsOf(directory, TABLES.keys)) {
    writing.onProgress(++count);
    if (fields === null) {
      report.leave('token', `${TABLES.keys}, line ${line}`, 'It cannot be read.');
      continue;
    }
    const plan = mappedKey(fields, now);
    if ('reason' in plan) report.leave('token', plan.alias, plan.reason);
    else if (seen.marks.has(plan.mark)) report.leave('token', plan.alias, `The key of line ${line} is in the export twice.`);
    else {
      seen.marks.add(plan.mark);
      if (seen.aliases.has(plan.alias))
        report.change('token', plan.alias, 'key_alias', `Several keys have this alias. This one is ${plan.keyName ?? plan.mark}.`);
      seen.aliases.add(plan.alias);
      await writeKey(plan, writing);
    }
  }
}

async function writeKey(plan: TokenPlan, writing: KeyWriting): Promise<void> {
  const { installation, report, owners, accounts, budgets, file } = writing;
  const { mark, alias } = plan;
  const known = installation.tokens.get(mark);
  if (known && file?.interrupted === mark) await revoke(known.tokenId, writing);
  else if (known) {
    report.row('exists', 'token', alias, file && !file.has(mark) ? 'Its token is in the file of the run that made it.' : '');
    return;
  }
  const team = plan.teamId === null ? null : owners.teams.get(plan.teamId);
  if (team?.isBlocked) return report.leave('token', alias, `Its team ${team.name} is blocked.`);
  const owner = ownerOf(plan, owners);
  const shared = plan.budgetId === null ? null : (owners.budgets.get(plan.budgetId) ?? null);
  const mapped = mappedTerms(plan, { owner: owner.limits, shared, accessGroups: writing.accessGroups, cacheSeconds: writing.cacheSeconds });
  if ('reason' in mapped) return report.leave('token', alias, mapped.reason);
  const budget = plan.limits.budget ?? shared?.budget ?? null;
  const isMissing =
    owner.limits?.budget && owner.scope === 'cost_centre' && !budgets.has('cost_centre', owner.costCentre, owner.limits.budget);
  const needed = [budget, isMissing].filter(Boolean).length;
  if (needed > 0 && budgets.isFull)
    return report.leave(
      'token',
      alias,
      'It has a budget, and Parlance has as many budgets as it can have. A token without it could spend any amount.',
    );
  const account = await accounts.withRoom(owner.account, owner.isOnlyOne);
  if (account === null)
    return report.leave('token', alias, `Its user has more keys than a service account can have tokens, and a budget for all of them.`);
  if (!(await ownerBudget(owner, account.id, writing)))
    return report.leave('token', alias, `The budget of ${owner.name} could not be made.`);
  if (writing.api && file) {
    const made = await makeToken(plan, { owner, terms: mapped.terms, account, budget }, writing);
    if (!made) return;
  } else if (budget) await budgets.make('token', mark, budget, alias);
  accounts.count(account);
  report.row(writing.api ? 'made' : 'make', 'token', alias, described(account.name, mapped.terms, owner, plan));
  if (plan.teamId !== null && !team) report.change('token', alias, 'team_id', 'The team is not in the export, so its limits are unknown.');
  if (plan.budgetId !== null && !shared)
    report.change('token', alias, 'budget_id', 'The budget is not in the export, so its limits are unknown.');
  for (const { setting, reason } of [...plan.changes, ...mapped.changes]) report.change('token', alias, setting, reason);
}

function ownerOf({ teamId, userId }: TokenPlan, { teams, users }: Owners): Owner {
  if (teamId !== null) {
    const team = teams.get(teamId);
    const name = team?.name ?? nameOf(null, teamId);
    return {
      account: `LiteLLM team ${name}`,
      isOnlyOne: false,
      costCentre: name,
      limits: team?.limits ?? null,
      scope: 'cost_centre',
      name: `team ${name}`,
    };
  }
  if (userId === null) return { account: 'LiteLLM keys', isOnlyOne: false, costCentre: null, limits: null, scope: null, name: '' };
  const user = users.get(userId);
  const limits = user?.limits ?? null;
  const name = user?.name ?? nameOf(null, userId);
  return {
    account: `LiteLLM user ${name}`,
    isOnlyOne: Boolean(limits?.budget),
    costCentre: null,
    limits,
    scope: 'user',
    name: `user ${name}`,
  };
}

/** The budget of a team or a user. False if it cannot be made. */
async function ownerBudget(owner: Owner, accountId: string, { api, budgets }: KeyWriting): Promise<boolean> {
  const { limits, scope } = owner;
  if (!limits?.budget || scope === null) return true;
  // A dry run has no account yet.
  const scopeId = scope === 'cost_centre' ? owner.costCentre! : api ? accountId : owner.name;
  return budgets.has(scope, scopeId, limits.budget) || (!budgets.isFull && budgets.make(scope, scopeId, limits.budget, owner.name));
}

interface NewTokenTerms {
  readonly owner: Owner;
  readonly terms: Terms;
  readonly account: { readonly id: string; readonly name: string };
  readonly budget: Limits['budget'];
}

/** Makes a token with its budget, and writes it down last: a token that somebody has received always has its budget. */
async function makeToken(plan: TokenPlan, { owner, terms, account, budget }: NewTokenTerms, writing: KeyWriting): Promise<boolean> {
  const { api, budgets, file, report } = writing;
  const body = {
    description: describedKey(plan),
    scopes: ['models'],
    ...Object.fromEntries(Object.entries(terms).filter(([, term]) => term !== null)),
    ...(owner.costCentre !== null && { cost_centre: owner.costCentre }),
  };
  file!.begin(plan.mark);
  const path = `/admin/service-accounts/${account.id}/tokens`;
  const post = async (expires_at: number | null): Promise<Awaited<ReturnType<AdminApi['post']>>> => {
    try {
      return await api!.post(path, { ...body, ...(expires_at !== null && { expires_at }) });
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'expiry_too_late') throw error;
      report.change(
        'token',
        plan.alias,
        'expires',
        'Parlance does not allow such a late expiry (personalTokenMaxDays). It expires earlier.',
      );
      return post(null);
    }
  };
  try {
    let made = await post(plan.expiresAt);
    // Only the first answer has the token, and it was lost on its way.
    while (typeof made['token'] !== 'string') {
      await revoke(String(made['token_id']), writing);
      made = await post(plan.expiresAt);
    }
    const tokenId = String(made['token_id']);
    if (budget && !(await budgets.make('token', tokenId, budget, plan.alias))) {
      await revoke(tokenId, writing);
      report.leave('token', plan.alias, 'Its budget could not be made.');
      return false;
    }
    file!.add({ alias: plan.alias, litellm_key: plan.keyName, token_id: tokenId, token: made['token'], mark: plan.mark });
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    report.leave('token', plan.alias, error.message);
    return false;
  }
}

async function revoke(tokenId: string, { api, budgets }: KeyWriting): Promise<void> {
  await budgets.removeOfToken(tokenId);
  await api!.delete(`/admin/tokens/${tokenId}`);
}

function described(account: string, terms: Terms, { costCentre }: Owner, { limits, tags }: TokenPlan): string {
  const parts = [
    account,
    terms.models.length === 0 ? 'all models' : terms.models.join(' '),
    terms.requests_per_minute !== null && `${terms.requests_per_minute} requests a minute`,
    terms.tokens_per_minute !== null && `${terms.tokens_per_minute} tokens a minute`,
    terms.max_parallel_requests !== null && `${terms.max_parallel_requests} at once`,
    costCentre !== null && `cost centre ${costCentre}`,
    limits.budget && describedBudget(limits.budget),
    Object.keys(tags).length > 0 && `tags ${Object.keys(tags).join(' ')}`,
  ];
  return parts.filter(Boolean).join(', ');
}
