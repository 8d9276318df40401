import { NotDone } from '../../not-done.ts';
import type { CataloguePlan, ModelPlan, ProviderPlan, RoutePlan } from '../mapping/catalogue-plan.ts';
import { baseUrlOf, originOf, type Setting } from '../mapping/settings.ts';
import type { Report } from '../report.ts';
import { type AdminApi, type Answer, Refused } from './admin-api.ts';
import type { Installation } from './installation.ts';

export interface Writing {
  /** Null for a dry run. */
  readonly api: AdminApi | null;
  readonly installation: Installation;
  readonly report: Report;
  /** The value of a variable that LiteLLM's configuration names. */
  readonly variable: (name: string) => string | undefined;
}

/** Throws `NotDone` that names all missing variables. Nothing has been written then. */
export function requireVariables(plan: CataloguePlan, writing: Writing): void {
  const needed = plan.providers.flatMap((provider) => [
    provider.address?.setting,
    provider.region,
    ...(resolved(provider, writing).isNew ? Object.values(provider.credentials) : []),
  ]);
  const names = needed.flatMap((setting) => (setting && 'variable' in setting ? [setting.variable] : []));
  const missing = [...new Set(names)].filter((name) => writing.variable(name) === undefined);
  if (missing.length > 0)
    throw new NotDone(`the environment lacks ${missing.join(', ')}, which LiteLLM's configuration names. Nothing was written`);
}

/** Makes providers, models and routes, or says what would be made. */
export async function writeCatalogue(plan: CataloguePlan, writing: Writing): Promise<void> {
  const providerIds = new Map<string, string>();
  for (const provider of plan.providers) {
    const id = await writeProvider(provider, writing);
    if (id !== null) providerIds.set(provider.id, id);
  }
  const made = new Set<string>();
  for (const model of plan.models) {
    const provider = providerIds.get(model.provider);
    if (provider === undefined) writing.report.leave('model', model.id, `Its provider ${model.provider} is not made.`);
    else if (await writeModel(model, provider, writing)) made.add(model.id);
  }
  for (const route of plan.routes) await writeRoute(route, made, writing);
}

interface ResolvedProvider {
  /** Null if the IDs are taken by other providers. */
  readonly id: string | null;
  readonly isNew: boolean;
  readonly base_url: string | null;
  readonly region: string | null;
}

const valueOf = (setting: Setting | null, { variable }: Writing): string | null =>
  setting === null ? null : 'text' in setting ? setting.text : (variable(setting.variable) ?? null);

/** The ID of a provider: its own, unless another provider has it. A provider with the same address is the same one. */
function resolved(plan: ProviderPlan, writing: Writing): ResolvedProvider {
  const { api, installation } = writing;
  const url = valueOf(plan.address?.setting ?? null, writing);
  const base_url = url === null ? null : baseUrlOf(url, plan.address!.form);
  const region = valueOf(plan.region, writing);
  // A dry run does not read the environment, and cannot compare what it does not know.
  const isAs = (found: unknown, known: string | null, setting: Setting | null | undefined) =>
    found === known || (api === null && setting != null && 'variable' in setting);
  const isFree = (id: string) => (installation.providers.get(id)?.['source'] ?? 'built_in') === 'built_in';
  const isSame = (found: Answer) =>
    found['type'] === plan.type &&
    isAs(found['base_url'], base_url, plan.address?.setting) &&
    isAs(found['region'], region, plan.region) &&
    hasCredentials(found, plan);
  const id = [plan.id, `${plan.id}-litellm`].find((each) => isFree(each) || isSame(installation.providers.get(each)!)) ?? null;
  return { id, isNew: id !== null && isFree(id), base_url, region };
}

async function writeProvider(plan: ProviderPlan, writing: Writing): Promise<string | null> {
  const { api, report } = writing;
  const { type, address } = plan;
  const { id, isNew, base_url, region } = resolved(plan, writing);
  if (id === null) {
    report.leave('provider', plan.id, 'A provider of this name with another type, address or region exists.');
    return null;
  }
  if (!isNew) {
    report.row('exists', 'provider', id, 'Its credentials stay as they are.');
    return id;
  }
  const origins = Object.entries(plan.credentials).map(([name, setting]) => `${name} ${originOf(setting)}`);
  const where = address && base_url === null ? `address ${originOf(address.setting)}` : base_url;
  const details = [type, where, region, ...origins].filter(Boolean).join(', ');
  if (api) {
    const credentials = Object.fromEntries(Object.entries(plan.credentials).map(([name, setting]) => [name, valueOf(setting, writing)]));
    const body = { id, type, ...(base_url !== null && { base_url }), ...(region !== null && { region }), ...credentials };
    if (!(await taken('provider', id, report, () => api.post('/admin/providers', body)))) return null;
  }
  report.row(api ? 'made' : 'make', 'provider', id, details);
  return id;
}

const hasCredentials = (found: Answer, { credentials }: ProviderPlan): boolean =>
  credentials.api_key ? found['has_api_key'] === true : !credentials.access_key_id || found['has_access_key'] === true;

async function writeModel(plan: ModelPlan, provider: string, { api, installation, report }: Writing): Promise<boolean> {
  const { id, model, price, isOwnPrice } = plan;
  const found = installation.models.get(id);
  const isSame = found?.['provider'] === provider && found['model'] === model;
  const isBuiltIn = found?.['source'] === 'built_in';
  if (found && isSame && !(isBuiltIn && isOwnPrice)) {
    report.row('exists', 'model', id, isBuiltIn ? 'In the built-in catalogue, with its prices.' : 'Its prices stay as they are.');
    return true;
  }
  if ((found && !isBuiltIn) || installation.routes.has(id)) {
    report.leave('model', id, 'A model or a route of this name exists, and is another one.');
    return false;
  }
  const cost = price === null ? 'no price' : `${price.input} and ${price.output} dollars per million tokens`;
  const details = `${provider}, ${model}, ${cost}${isOwnPrice || price === null ? '' : ' (list price)'}`;
  if (api) {
    const body = {
      id,
      provider,
      model,
      ...(plan.context_window !== null && { context_window: plan.context_window }),
      ...(plan.max_output_tokens !== null && { max_output_tokens: plan.max_output_tokens }),
      ...(plan.capabilities.length > 0 && { capabilities: plan.capabilities }),
      ...(price && { prices: [{ from: new Date().toISOString(), ...price }] }),
    };
    if (!(await taken('model', id, report, () => api.post('/admin/models', body)))) return false;
  }
  report.row(api ? 'made' : 'make', 'model', id, details);
  if (price === null) report.change('model', id, 'price', 'It is free, and budgets do not limit it, until you set a price.');
  if (isBuiltIn) report.change('model', id, 'name', 'It replaces the built-in model of this name.');
  return true;
}

async function writeRoute(plan: RoutePlan, models: ReadonlySet<string>, { api, installation, report }: Writing): Promise<void> {
  const { id, strategy, retries } = plan;
  const targets = plan.targets.filter(({ model }) => models.has(model));
  const fallbacks = plan.fallbacks.filter((model) => models.has(model));
  if (targets.length === 0) {
    report.leave('route', id, 'None of its models is made.');
    return;
  }
  const found = installation.routes.get(id);
  if (found) {
    const isSame =
      JSON.stringify([found['targets'], found['fallbacks'], found['strategy']]) === JSON.stringify([targets, fallbacks, strategy]);
    if (isSame) report.row('exists', 'route', id);
    else report.leave('route', id, 'A route of this name with other targets exists, and stays as it is.');
    return;
  }
  if (installation.models.has(id)) {
    const isBuiltIn = installation.models.get(id)!['source'] === 'built_in';
    report.leave('route', id, `A ${isBuiltIn ? 'built-in ' : ''}model has this name. Rename the route, and the model in programs.`);
    return;
  }
  const named = targets.map(({ model, weight }) => `${model} × ${weight}`).join(', ');
  const details = `${strategy}: ${named}${fallbacks.length > 0 ? `; then ${fallbacks.join(', ')}` : ''}`;
  if (api) {
    const body = { id, strategy, targets, fallbacks, ...(retries !== null && { retries }) };
    if (!(await taken('route', id, report, () => api.post('/admin/routes', body)))) return;
  }
  report.row(api ? 'made' : 'make', 'route', id, details);
}

/** False if Parlance refuses, which is reported. */
export async function taken(kind: string, name: string, report: Report, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    report.leave(kind, name, error.message);
    return false;
  }
}
