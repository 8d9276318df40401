import type { AvailableModels, ChangeModelBody, Model, NewModelBody } from '@parlance/client/types';
import { CATALOGUE_NAME } from '../providers/provider-draft.ts';

export type AvailableModel = AvailableModels['models'][number];
type Price = NonNullable<NewModelBody['prices']>[number];

/** Capabilities with a field of their own. */
export const COMMON_CAPABILITIES = ['vision', 'documents', 'reasoning', 'prompt_caching', 'tools'] as const;
const COMMON: ReadonlySet<string> = new Set(COMMON_CAPABILITIES);

/** For a model of which nothing is known. */
const CONTEXT_WINDOW = 32_768;
const MOST_TOKENS = 100_000_000;

/** What is entered for a model. Missing numbers are NaN. */
export interface ModelDraft {
  readonly id: string;
  readonly name: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly capabilities: ReadonlySet<string>;
  /** Words with commas between them. */
  readonly others: string;
  readonly input: number;
  readonly output: number;
}

export type ModelProblem = 'id' | 'idTaken' | 'name' | 'contextWindow' | 'maxOutput' | 'others' | 'prices';

/** The start of the form for a model of a provider's list, with what the built-in catalogue suggests. */
export function draftFor({ model, name, context_window, suggestion }: AvailableModel, taken: ReadonlySet<string>): ModelDraft {
  const price = suggestion?.prices.at(-1);
  return {
    id: freeModelId(suggestion?.id ?? model, taken),
    name: suggestion?.name ?? name ?? model,
    contextWindow: suggestion?.context_window ?? context_window ?? CONTEXT_WINDOW,
    maxOutput: suggestion?.max_output_tokens ?? Number.NaN,
    ...capabilitiesOf(suggestion?.capabilities ?? []),
    input: price?.input ?? Number.NaN,
    output: price?.output ?? Number.NaN,
  };
}

export const draftOfModel = ({ id, name, context_window, max_output_tokens, capabilities }: Model): ModelDraft => ({
  id,
  name,
  contextWindow: context_window,
  maxOutput: max_output_tokens ?? Number.NaN,
  ...capabilitiesOf(capabilities),
  input: Number.NaN,
  output: Number.NaN,
});

const capabilitiesOf = (all: readonly string[]) => ({
  capabilities: new Set(all.filter((word) => COMMON.has(word))),
  others: all.filter((word) => !COMMON.has(word)).join(', '),
});

/** The provider's name of the model, as an ID that no model has. */
function freeModelId(name: string, taken: ReadonlySet<string>): string {
  const base = name.replaceAll(/[^A-Za-z0-9._:/@-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'model';
  const wanted = base.slice(0, 190);
  for (let number = 1; ; number++) {
    const id = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(id)) return id;
  }
}

const othersIn = ({ others }: ModelDraft): readonly string[] =>
  others
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

const isTokens = (n: number): boolean => Number.isInteger(n) && n >= 1 && n <= MOST_TOKENS;

/** What is missing or wrong. `taken`: the IDs of models; null for a model that is changed, whose ID and prices have no fields. */
export function modelProblems(draft: ModelDraft, taken: ReadonlySet<string> | null): ReadonlySet<ModelProblem> {
  const problems = new Set<ModelProblem>();
  if (taken !== null && !CATALOGUE_NAME.test(draft.id)) problems.add('id');
  if (taken?.has(draft.id)) problems.add('idTaken');
  if (draft.name.trim() === '') problems.add('name');
  if (!isTokens(draft.contextWindow)) problems.add('contextWindow');
  if (!Number.isNaN(draft.maxOutput) && !isTokens(draft.maxOutput)) problems.add('maxOutput');
  if (othersIn(draft).some((word) => !/^[a-z][a-z_]{0,39}$/.test(word))) problems.add('others');
  if (taken !== null && Number.isNaN(draft.input) !== Number.isNaN(draft.output)) problems.add('prices');
  return problems;
}

const termsOf = (draft: ModelDraft) => ({
  name: draft.name.trim(),
  context_window: draft.contextWindow,
  max_output_tokens: Number.isNaN(draft.maxOutput) ? null : draft.maxOutput,
  capabilities: [...new Set([...draft.capabilities, ...othersIn(draft)])],
});

export const changeOfModel = (draft: ModelDraft): ChangeModelBody => termsOf(draft);

/** `now` is used for a price without a suggestion. The clock of a browser may be ahead, so it applies from the start of the day before. */
export function creationOfModel(provider: string, of: AvailableModel, draft: ModelDraft, now: Date): NewModelBody {
  return { id: draft.id, provider, model: of.model, ...termsOf(draft), prices: pricesOf(of, draft, now) };
}

function pricesOf({ suggestion }: AvailableModel, { input, output }: ModelDraft, now: Date): Price[] {
  if (Number.isNaN(input) || Number.isNaN(output)) return [];
  const suggested = suggestion?.prices ?? [];
  const last = suggested.at(-1);
  if (last === undefined) return [{ from: dayBefore(now), input, output }];
  // The prices of caches belong to the suggested ones. They would be wrong beside others.
  if (last.input !== input || last.output !== output) return [{ from: dayBefore(now), input, output, web_search: last.web_search }];
  return [...suggested];
}

const DAY_MILLIS = 86_400_000;
const dayBefore = (now: Date): string => `${new Date(now.getTime() - DAY_MILLIS).toISOString().slice(0, 10)}T00:00:00Z`;
