import type { Config } from '@parlance/config';
import { LONGEST_CACHE_SECONDS } from '@parlance/contracts';
import { environmentVariable } from './config/environment.ts';
import { mappedBudget } from './mapping/budget.ts';
import { cacheSeconds, cataloguePlan } from './mapping/catalogue-plan.ts';
import { type Options, optionsOf } from './options.ts';
import { Report } from './report.ts';
import { type LiteLlmConfig, readConfigFile } from './source/config-file.ts';
import { numberOf, textOf } from './source/fields.ts';
import { readOwners } from './source/owners.ts';
import { priced, readPriceList } from './source/price-list.ts';
import { Accounts } from './writing/accounts.ts';
import { AdminApi } from './writing/admin-api.ts';
import { Budgets } from './writing/budgets.ts';
import { requireVariables, writeCatalogue, type Writing } from './writing/catalogue.ts';
import { emptyInstallation, readInstallation } from './writing/installation.ts';
import { writeKeys } from './writing/keys.ts';
import { TokenFile } from './writing/token-file.ts';

const PROGRESS_EVERY_MILLIS = 1_000;

/**
 * `parlance import-litellm`: takes over the configuration and the keys of LiteLLM with the public API. Without `--apply` it changes nothing. A second
 * run recognises providers, models and routes by their IDs, and tokens by a mark in their descriptions.
 */
export async function importLiteLlm(config: Config, words: readonly string[]): Promise<void> {
  const options = optionsOf(words);
  const source = await sourceOf(options);
  const report = new Report((line) => void process.stdout.write(`${line}\n`));
  const url = (options.url ?? config.publicBaseUrl).replace(/\/+$/, '');
  const caller = options.token === null ? null : new AdminApi(url, options.token);
  const installation = caller ? await readInstallation(caller, options.database === null ? null : options.group) : emptyInstallation();
  const variable = (name: string) => environmentVariable(name) ?? textOf(source.variables[name]) ?? undefined;
  const writing = {
    api: options.isApplied ? caller : null,
    installation,
    report,
    variable: options.isApplied ? variable : () => undefined,
  };
  report.head();
  const plan = cataloguePlan(source, report);
  const owners = options.database === null ? null : await readOwners(options.database, report);
  if (options.isApplied) requireVariables(plan, writing);
  await writeCatalogue(plan, writing);
  const budgets = new Budgets(writing.api, installation, report);
  await writeBudgetOfAll(source, budgets);
  const seconds = cacheSeconds(source.settings, LONGEST_CACHE_SECONDS, report);
  if (owners) await writeTokens(options, writing, { owners, budgets, accessGroups: plan.accessGroups, cacheSeconds: seconds });
  report.summary();
  process.stdout.write(`${closing(options, report, url)}\n`);
}

async function sourceOf({ file, prices }: Options): Promise<LiteLlmConfig> {
  const source = await readConfigFile(file);
  if (prices === null) return source;
  const list = await readPriceList(prices);
  return { ...source, deployments: source.deployments.map((deployment) => priced(deployment, list)) };
}

/** `litellm_settings.max_budget` is for all calls. */
async function writeBudgetOfAll({ settings }: LiteLlmConfig, budgets: Budgets): Promise<void> {
  const budget = mappedBudget({
    maxBudget: numberOf(settings['max_budget']),
    softBudget: null,
    duration: textOf(settings['budget_duration']),
    spend: 0,
  });
  if (budget && !budgets.has('all', null, budget)) await budgets.make('all', null, budget, 'all calls');
}

type KeyParts = Pick<Parameters<typeof writeKeys>[1], 'owners' | 'budgets' | 'accessGroups' | 'cacheSeconds'>;

async function writeTokens({ database, group, tokensFile }: Options, writing: Writing, parts: KeyParts): Promise<void> {
  const { api, installation, report } = writing;
  const file = api ? await TokenFile.open(tokensFile) : null;
  let shownAt = performance.now();
  const onProgress = (count: number) => {
    if (!api || performance.now() - shownAt < PROGRESS_EVERY_MILLIS) return;
    shownAt = performance.now();
    process.stderr.write(`Keys ${count}\n`);
  };
  const accounts = new Accounts(api, installation, group, report);
  await writeKeys(database!, { ...parts, api, installation, report, accounts, file, onProgress });
  file?.close();
}

function closing({ isApplied, token, tokensFile }: Options, report: Report, url: string): string {
  if (!isApplied)
    return token === null
      ? 'Nothing was changed. --token-file compares this with an installation.'
      : `Nothing was changed at ${url}. --apply makes this.`;
  return report.count('token', 'made') > 0 ? `The new tokens are in ${tokensFile}. Parlance does not show them again.` : `Done at ${url}.`;
}
