import { flagParam, textParam, timeParam } from '../../../../app/search-params.ts';

/** The API's filters under their API names, and the page token. */
export interface AuditSearch {
  action_type?: string | undefined;
  resource_type?: string | undefined;
  resource_id?: string | undefined;
  user_id?: string | undefined;
  success?: boolean | undefined;
  start_time?: number | undefined;
  end_time?: number | undefined;
  /** Includes refused session refreshes by unknown callers. */
  noise?: boolean | undefined;
  token?: string | undefined;
}

export const auditSearch = (raw: Record<string, unknown>): AuditSearch => ({
  action_type: textParam(raw['action_type']),
  resource_type: textParam(raw['resource_type']),
  resource_id: textParam(raw['resource_id']),
  user_id: textParam(raw['user_id']),
  success: flagParam(raw['success']),
  start_time: timeParam(raw['start_time']),
  end_time: timeParam(raw['end_time']),
  noise: flagParam(raw['noise']),
  token: textParam(raw['token']),
});

/** Whether a window ends before it begins. */
export const isReversed = (from: number | undefined, until: number | undefined): boolean =>
  from !== undefined && until !== undefined && until < from;

/** The last second of the year 9999. It must not change between pages, because page tokens belong to one window. */
const LATEST = 253_402_300_799;

/** The filters of a request. A window needs both ends. A filter on refreshes includes the noisy ones. */
export function filtersOf({ token: _, noise, start_time, end_time, ...fields }: AuditSearch) {
  const isQuiet = noise !== true && fields.action_type !== 'refresh_session';
  const filters = { ...fields, ...(isQuiet && { without_noise: true }) };
  if (start_time === undefined && end_time === undefined) return filters;
  return { ...filters, start_time: start_time ?? 0, end_time: end_time ?? LATEST };
}
