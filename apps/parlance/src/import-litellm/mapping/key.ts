import { createHash } from 'node:crypto';
import { type Fields, flagOf, mapOf, numberOf, textOf, textsOf } from '../source/fields.ts';
import { type MappedBudget, mappedBudget } from './budget.ts';

/** The part of a row of LiteLLM's keys, teams, users and budgets that limits calls. */
export interface Limits {
  readonly models: readonly string[];
  readonly rpm: number | null;
  readonly tpm: number | null;
  readonly parallel: number | null;
  readonly budget: MappedBudget | null;
}

export interface TokenPlan {
  /** Derived from LiteLLM's hash of the key. It ends the description of the token, so that a second run recognises it. */
  readonly mark: string;
  readonly alias: string;
  readonly keyName: string | null;
  readonly teamId: string | null;
  readonly userId: string | null;
  readonly limits: Limits;
  readonly budgetId: string | null;
  /** Epoch seconds. */
  readonly expiresAt: number | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly changes: readonly { readonly setting: string; readonly reason: string }[];
}

const LONGEST_ALIAS = 170;
const MARK_LENGTH = 16;
const MOST_TAGS = 16;
const LONGEST_TAG = 64;
/** Keys of sessions of LiteLLM's dashboard. */
const DASHBOARD = 'litellm-dashboard';

export const describedKey = ({ alias, mark }: Pick<TokenPlan, 'alias' | 'mark'>): string => `${alias} (LiteLLM ${mark})`;
const DESCRIPTION = new RegExp(`\\(LiteLLM ([0-9a-f]{${MARK_LENGTH}})\\)$`);
/** The mark in the description of a token of an earlier run; null for other tokens. */
export const markIn = (description: string): string | null => DESCRIPTION.exec(description)?.[1] ?? null;

export function limitsOf(row: Fields): Limits {
  const positive = (name: string) => {
    const number = numberOf(row[name]);
    return number === null ? null : Math.max(0, Math.floor(number));
  };
  return {
    models: textsOf(row['models']),
    rpm: positive('rpm_limit'),
    tpm: positive('tpm_limit'),
    parallel: positive('max_parallel_requests'),
    budget: mappedBudget({
      maxBudget: numberOf(row['max_budget']),
      softBudget: numberOf(row['soft_budget']),
      duration: textOf(row['budget_duration']),
      spend: numberOf(row['spend']) ?? 0,
    }),
  };
}

/** A key of LiteLLM as a token, or the reason why it is not taken over. */
export function mappedKey(row: Fields, nowSeconds: number): TokenPlan | { readonly alias: string; readonly reason: string } {
  const [keyName, hash] = [textOf(row['key_name']), textOf(row['token'])];
  const alias = (textOf(row['key_alias']) ?? keyName ?? '')
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, LONGEST_ALIAS)
    .trim();
  if (alias === '') return { alias: '(no name)', reason: 'The row has neither key_alias nor key_name.' };
  const leave = (reason: string) => ({ alias, reason });
  if (textOf(row['team_id']) === DASHBOARD) return leave("It is a session of LiteLLM's dashboard.");
  if (flagOf(row['blocked'])) return leave('It is blocked.');
  const expires = textOf(row['expires']);
  const expiresAt = expires === null ? null : secondsOf(expires);
  if (Number.isNaN(expiresAt)) return leave(`Its expiry ${expires} is not a date.`);
  if (expiresAt !== null && expiresAt <= nowSeconds) return leave('It has expired.');
  const identity = hash ?? JSON.stringify([alias, keyName, row['team_id'], row['user_id']]);
  const { tags, changes } = tagsIn(row);
  return {
    mark: createHash('sha256').update(identity).digest('hex').slice(0, MARK_LENGTH),
    alias,
    keyName,
    teamId: textOf(row['team_id']),
    userId: textOf(row['user_id']),
    limits: limitsOf(row),
    budgetId: textOf(row['budget_id']),
    expiresAt,
    tags,
    changes: [...changes, ...leftOutOf(row)],
  };
}

/** PostgreSQL writes times in UTC without a zone. */
function secondsOf(text: string): number {
  const time = text
    .trim()
    .replace(' ', 'T')
    .replace(/([+-]\d\d)$/, '$1:00');
  return Math.floor(Date.parse(/([zZ]|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`) / 1_000);
}

function tagsIn(row: Fields): Pick<TokenPlan, 'tags' | 'changes'> {
  const named = textsOf(mapOf(row['metadata'])['tags']);
  const usable = named.filter(
    (tag) => tag !== '' && !/\p{Cc}/u.test(tag) && pairOf(tag).every((part) => part.length <= LONGEST_TAG) && pairOf(tag)[0] !== '',
  );
  const tags = Object.fromEntries(usable.map(pairOf).slice(0, MOST_TAGS));
  const left = named.filter((tag) => !Object.hasOwn(tags, pairOf(tag)[0]));
  const reason = `A token has at most ${MOST_TAGS} tags of ${LONGEST_TAG} characters: ${left.join(', ')}.`;
  return { tags, changes: left.length === 0 ? [] : [{ setting: 'metadata.tags', reason }] };
}

/** LiteLLM's tags are words; `name:value` becomes a name with a value. */
function pairOf(tag: string): [string, string] {
  const colon = tag.indexOf(':');
  return colon < 1 ? [tag, ''] : [tag.slice(0, colon), tag.slice(colon + 1)];
}

const LEFT: Readonly<Record<string, string>> = {
  aliases: 'A token has no names of its own for models. Use routes.',
  config: 'A token has no configuration of its own.',
  router_settings: 'A token has no routing of its own.',
  permissions: 'A token has the scope models only.',
  allowed_routes: 'A token may call all endpoints for models.',
  allowed_cache_controls: 'A token may always turn off the cache.',
  model_max_budget: 'A token has no budgets by model.',
  budget_limits: 'A token has no budgets by model.',
  policies: 'Set guardrails in the configuration of Parlance.',
  organization_id: 'Parlance has no level above teams.',
  project_id: 'Parlance has no projects of keys.',
  agent_id: 'Parlance has no agents with keys.',
  object_permission_id: 'MCP servers and knowledge are not for tokens with the scope models.',
  access_group_ids: 'Access groups of the database are not read.',
  rotation_interval: 'Tokens are not rotated by themselves.',
};
const LEFT_METADATA: Readonly<Record<string, string>> = {
  model_rpm_limit: 'A token has no limits by model.',
  model_tpm_limit: 'A token has no limits by model.',
  guardrails: 'Set guardrails in the configuration of Parlance.',
  logging: 'Use the list of calls, or webhooks.',
};

function leftOutOf(row: Fields): TokenPlan['changes'] {
  const isFilled = (value: unknown) => value != null && value !== '' && !(typeof value === 'object' && Object.keys(value).length === 0);
  const found = (fields: Fields, reasons: typeof LEFT, path: string) =>
    Object.entries(reasons).flatMap(([name, reason]) => (isFilled(fields[name]) ? [{ setting: `${path}${name}`, reason }] : []));
  return [...found(row, LEFT, ''), ...found(mapOf(row['metadata']), LEFT_METADATA, 'metadata.')];
}
