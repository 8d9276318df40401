// I2: positions 1..n in every service's log, versions 1..n in every stream, no event ID twice.
import { services } from '../evidence.mjs';

export function logHasNoGaps({ evidence }) {
  const problems = [];
  for (const service of services) {
    const [{ count, first, last }] = evidence.all(
      service,
      'SELECT count(*) AS count, coalesce(min(position), 1) AS first, coalesce(max(position), 0) AS last FROM commits',
    );
    if (first !== 1 || last !== count) problems.push(`the log of ${service} has ${count} commits at positions ${first} to ${last}`);
    for (const stream of evidence.all(service, UNEVEN))
      problems.push(`${stream.stream} of ${service} has ${stream.count} commits with versions ${stream.first} to ${stream.last}`);
    const [{ events, ids }] = evidence.all(
      service,
      "SELECT count(*) AS events, count(DISTINCT json_extract(value, '$.id')) AS ids FROM commits, json_each(events)",
    );
    if (events !== ids) problems.push(`the log of ${service} has ${events} events with ${ids} ids`);
  }
  return problems;
}

const UNEVEN = `
  SELECT stream, count(*) AS count, min(version) AS first, max(version) AS last FROM commits
   GROUP BY stream HAVING min(version) <> 1 OR max(version) <> count(*)`;
