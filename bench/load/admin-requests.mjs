import { botOf, BOTS, DAYS, userOf, USERS } from './usage-log.mjs';

const HOUR = 3_600_000;
const hourOf = (time) => new Date(time).toISOString().replaceAll(/[-T]/g, '').slice(0, 10);

/** The same numbers in each run. */
function random() {
  let state = 7;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * Requests to each endpoint for administrators of analytics, with different users, bots and windows. Windows begin at any hour and are up
 * to 60 days long.
 */
export function adminRequests(count, { begin, entries }) {
  const upTo = random();
  const window = () => {
    const from = begin + upTo(DAYS * 24 - 2) * HOUR;
    return [from, Math.min(from + (1 + upTo(60 * 24)) * HOUR, begin + DAYS * 24 * HOUR)];
  };
  const hours = () => {
    const [from, to] = window();
    return `start=${hourOf(from)}&end=${hourOf(to)}`;
  };
  const seconds = () => {
    const [from, to] = window();
    return `start_time=${Math.floor(from / 1_000)}&end_time=${Math.floor(to / 1_000)}`;
  };
  const month = (at) => new Date(at).toISOString().slice(0, 7);
  const [first, last] = [month(begin), month(begin + DAYS * 24 * HOUR)];
  const user = () => userOf(upTo(USERS));
  const bot = () => botOf(upTo(BOTS));
  const each = (path) => Array.from({ length: count }, path);
  return {
    'costs/summary of this month': each(() => `/admin/costs/summary`),
    'costs/summary of this month, top_n=100': each(() => `/admin/costs/summary?top_n=100`),
    'costs/summary of hours': each(() => `/admin/costs/summary?${seconds()}`),
    'costs/users/{id} of all months': each(() => `/admin/costs/users/${user()}?start_period=${first}&end_period=${last}`),
    'costs/bots/{id} of all months': each(() => `/admin/costs/bots/${bot()}?start_period=${first}&end_period=${last}`),
    'users of this month': each(() => '/admin/users'),
    'users of this month, sort=email&include_all': each(() => '/admin/users?sort=email&include_all=true'),
    'users of hours': each(() => `/admin/users?${hours()}`),
    'users of hours, sort=conversation_count': each(() => `/admin/users?sort=conversation_count&${hours()}`),
    'bots/{id}/analytics of 30 days': each(() => `/admin/bots/${bot()}/analytics`),
    'bots/{id}/analytics of 90 days, the bot with most usage': each(() => `/admin/bots/${botOf(0)}/analytics?days=90`),
    'bots/{id}/satisfaction of 90 days, the bot with most usage': each(() => `/admin/bots/${botOf(0)}/satisfaction?days=90`),
    'public-bots of this month': each(() => '/admin/public-bots'),
    'public-bots of hours': each(() => `/admin/public-bots?${hours()}`),
    'published-bots': each(() => '/admin/published-bots'),
    'user/me/usage of hours, the user with most usage': each(() => `/user/me/usage?${seconds()}`),
    'audit-logs': each(() => '/admin/audit-logs'),
    'audit-logs, filtered by three fields': each(() => '/admin/audit-logs?action_type=modify_bot&success=false&resource_type=bot'),
    'audit-logs of hours': each(() => `/admin/audit-logs?${seconds()}`),
    'audit-logs/user/{id}': each(() => `/admin/audit-logs/user/${userOf((upTo(entries) * 7) % USERS)}`),
    'audit-logs/resource/bot/{id}': each(() => `/admin/audit-logs/resource/bot/${bot()}`),
    budgets: each(() => '/admin/budgets'),
    health: each(() => '/admin/health'),
    'health/dead-letters': each(() => '/admin/health/dead-letters?service=analytics'),
    exports: each(() => '/admin/exports'),
    webhooks: each(() => '/admin/webhooks'),
  };
}
