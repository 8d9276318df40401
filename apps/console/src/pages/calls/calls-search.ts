import type { RecordedCall } from '@parlance/client/types';
import { choiceParam, textParam, timeParam } from '../../app/search-params.ts';

export type CallStatus = RecordedCall['status'];
const STATUSES = {
  completed: true,
  refused: true,
  failed: true,
  broken: true,
  cancelled: true,
  unsettled: true,
  blocked: true,
} satisfies Readonly<Record<CallStatus, true>>;
export const CALL_STATUSES = Object.keys(STATUSES) as readonly CallStatus[];

/** The filters of a list of calls and its page, as in the address. */
export interface CallsSearch {
  readonly user?: string | undefined;
  readonly token_id?: string | undefined;
  readonly model?: string | undefined;
  readonly status?: CallStatus | undefined;
  readonly cost_centre?: string | undefined;
  readonly tag?: string | undefined;
  /** Epoch seconds. */
  readonly start_time?: number | undefined;
  readonly end_time?: number | undefined;
  /** The token of the page. */
  readonly token?: string | undefined;
}

export const callsSearch = (raw: Readonly<Record<string, unknown>>): CallsSearch => ({
  user: textParam(raw['user']),
  token_id: textParam(raw['token_id']),
  model: textParam(raw['model']),
  status: choiceParam(raw['status'], CALL_STATUSES),
  cost_centre: textParam(raw['cost_centre']),
  tag: textParam(raw['tag']),
  start_time: timeParam(raw['start_time']),
  end_time: timeParam(raw['end_time']),
  token: textParam(raw['token']),
});

/** Whether any filter is set. */
export const isFiltered = ({ token: _, ...filters }: CallsSearch): boolean => Object.values(filters).some((value) => value !== undefined);

/** The years that the API accepts. They must not change between pages, because page tokens belong to one window. */
const [EARLIEST, LATEST] = [946_684_800, 253_402_300_799];

/** An hour in UTC, YYYYMMDDHH. */
const hourOf = (seconds: number): string =>
  new Date(Math.min(LATEST, Math.max(EARLIEST, seconds)) * 1_000).toISOString().slice(0, 13).replaceAll(/[-T]/g, '');

/** The epoch seconds of an hour of the API. */
export const secondsOfHour = (hour: string): number =>
  Date.parse(hour.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:00:00Z')) / 1_000;

/** The filters of a request. A window needs both ends. */
export function filtersOf({ token: _, token_id: token, start_time, end_time, ...fields }: CallsSearch) {
  const filters = { ...fields, token };
  if (start_time === undefined && end_time === undefined) return filters;
  return { ...filters, start: hourOf(start_time ?? EARLIEST), end: hourOf(end_time ?? LATEST) };
}
