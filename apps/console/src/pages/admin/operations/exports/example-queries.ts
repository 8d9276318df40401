export type ExampleName = 'days' | 'users' | 'bots' | 'hours' | 'messages';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Statements for questions that administrators often have. */
export function exampleQueries(name: string): Readonly<Record<ExampleName, string>> {
  const table = /^[a-z_]\w*$/i.test(name) ? name : quoted(name);
  return {
    days: `SELECT left(datehour, 10) AS day, sum(TotalPrice) AS cost, count(DISTINCT SK) AS conversations
FROM ${table}
GROUP BY day
ORDER BY day`,
    users: `SELECT PK AS user_id, count(DISTINCT SK) AS conversations, sum(TotalPrice) AS cost
FROM ${table}
GROUP BY user_id
ORDER BY cost DESC
LIMIT 20`,
    bots: `SELECT coalesce(BotId, 'without a bot') AS bot, count(DISTINCT SK) AS conversations, sum(TotalPrice) AS cost
FROM ${table}
GROUP BY bot
ORDER BY conversations DESC
LIMIT 20`,
    hours: `SELECT right(datehour, 2) AS hour_utc, count(*) AS conversations
FROM ${table}
GROUP BY hour_utc
ORDER BY hour_utc`,
    messages: `SELECT datehour, json_extract_string(value, '$.role') AS role, count(*) AS messages
FROM ${table}, json_each(MessageMap::JSON)
GROUP BY datehour, role
ORDER BY datehour
LIMIT 200`,
  };
}
