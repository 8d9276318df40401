import type { Request } from '@parlance/client';
import { choiceParam, dateParam, flagParam, monthParam, type PagedSearch, pagedSearch, textParam } from '../../../app/search-params.ts';

/** The search parameters of each page's address. Values that are not allowed are left out. */
type Raw = Readonly<Record<string, unknown>>;

export const PAGE_SIZE = 50;

export const USER_SORTS = ['total_price', 'email', 'create_time', 'last_sign_in_time', 'conversation_count'] as const;
export type UserSort = (typeof USER_SORTS)[number];

export interface UsersSearch {
  readonly prefix?: string | undefined;
  readonly group?: string | undefined;
  readonly enabled?: boolean | undefined;
  /** Only users with usage in this month. */
  readonly used?: boolean | undefined;
  readonly sort?: UserSort | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  readonly token?: string | undefined;
}

export const usersSearch = (raw: Raw): UsersSearch => ({
  prefix: textParam(raw['prefix']),
  group: textParam(raw['group']),
  enabled: flagParam(raw['enabled']),
  used: flagParam(raw['used']),
  sort: choiceParam(raw['sort'], USER_SORTS),
  order: choiceParam(raw['order'], ['asc', 'desc']),
  token: textParam(raw['token']),
});

type UsersQuery = NonNullable<Request<'/admin/users', 'get'>['query']>;

/** The conditions of a search without the page. */
export const usersFilter = ({ prefix, group, enabled, used, sort, order }: UsersSearch): UsersQuery => ({
  include_all: used !== true,
  ...(prefix !== undefined && { prefix }),
  ...(group !== undefined && { group }),
  ...(enabled !== undefined && { enabled }),
  ...(sort !== undefined && { sort }),
  ...(order !== undefined && { order }),
});

export interface UserSearch extends PagedSearch {
  /** Reading a user's conversations is audited, so they are shown only on request. */
  readonly conversations?: boolean | undefined;
}

export const userSearch = (raw: Raw): UserSearch => ({ conversations: flagParam(raw['conversations']), ...pagedSearch(raw) });

interface GroupsSearch {
  readonly group?: string | undefined;
}

export const groupsSearch = (raw: Raw): GroupsSearch => ({ group: textParam(raw['group']) });

export const TOP_SIZES = ['10', '25', '50', '100'] as const;

export interface CostsSearch extends PagedSearch {
  /** A month as YYYY-MM. */
  readonly month?: string | undefined;
  /** Dates of a range as YYYY-MM-DD, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly compare?: boolean | undefined;
  readonly corrected?: boolean | undefined;
  readonly top?: (typeof TOP_SIZES)[number] | undefined;
}

export function costsSearch(raw: Raw): CostsSearch {
  const [from, to] = [dateParam(raw['from']), dateParam(raw['to'])];
  const hasRange = from !== undefined && to !== undefined;
  return {
    ...(hasRange ? { from, to } : { month: monthParam(raw['month']) }),
    compare: flagParam(raw['compare']),
    corrected: flagParam(raw['corrected']),
    top: choiceParam(textParam(raw['top']), TOP_SIZES),
    ...pagedSearch(raw),
  };
}

export interface BotsSearch extends PagedSearch {
  /** Only bots with cost in this month. */
  readonly used?: boolean | undefined;
}

export const botsSearch = (raw: Raw): BotsSearch => ({ used: flagParam(raw['used']), ...pagedSearch(raw) });

export const DAY_COUNTS = ['7', '30', '90', '365'] as const;
export type DayCount = (typeof DAY_COUNTS)[number];
/** Shown if the address names none. */
export const DEFAULT_DAYS: DayCount = '30';

interface BotSearch {
  readonly days?: DayCount | undefined;
}

export const botSearch = (raw: Raw): BotSearch => ({ days: choiceParam(textParam(raw['days']), DAY_COUNTS) });

export interface RatingsSearch extends BotSearch, PagedSearch {}

export const ratingsSearch = (raw: Raw): RatingsSearch => ({ ...botSearch(raw), ...pagedSearch(raw) });

export const QUALITY_ORDERS = ['satisfaction', 'queries'] as const;

export interface QualitySearch extends BotSearch {
  readonly order?: (typeof QUALITY_ORDERS)[number] | undefined;
}

export const qualitySearch = (raw: Raw): QualitySearch => ({ order: choiceParam(raw['order'], QUALITY_ORDERS), ...botSearch(raw) });

export interface QuestionsSearch extends BotSearch {
  readonly bots?: 'none' | undefined;
}

export const questionsSearch = (raw: Raw): QuestionsSearch => ({ bots: choiceParam(raw['bots'], ['none']), ...botSearch(raw) });
