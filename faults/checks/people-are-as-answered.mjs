// I9: tokens of ended sessions are refused, even after a crash; erased users are in no row; each refusal is in the audit log exactly once.
import { idOf, services } from '../evidence.mjs';

/** Tries the tokens of users who have changed since the last check, right after a restart. */
export async function endedIsRefused({ ledger, product }) {
  const problems = [];
  for (const record of ledger.takeTouched('api')) {
    if (!('sessions' in record)) continue;
    // Only the newest sessions: older ones were checked before. All are checked when no work is left.
    problems.push(...(await tokensOf(record, product, 5)));
  }
  return problems;
}

async function tokensOf(record, product, most) {
  const problems = [];
  for (const session of record.sessions.slice(-most)) {
    const { status } = await product.ask('GET', '/user/me', undefined, { token: session.token });
    const problem = record.sessionAnswered(session, 'use', status);
    if (problem) problems.push(problem);
  }
  return problems;
}

/** Compares all users with what an administrator sees. */
export async function peopleAreSeen({ ledger, product, chance, most = 100 }) {
  const problems = [];
  const known = [...ledger.people.values()].filter(({ userId }) => userId !== null);
  for (const record of known.length <= most ? known : Array.from({ length: most }, () => chance.pick(known))) {
    const { status, body } = await product.ask('GET', `/admin/users/${record.userId}`);
    const problem = record.answered('find', status, body);
    if (problem) problems.push(problem);
    problems.push(...(await tokensOf(record, product, 10)));
    if (record.is('absent')) continue;
    const { body: found } = await product.ask('GET', `/user/search?prefix=${record.email}`);
    const right = record.is('erased') ? 0 : 1;
    if (found?.users?.length !== right) problems.push(`person ${record.id} is found ${found?.users?.length} times, not ${right}`);
  }
  return problems;
}

/** An erased user has no row, no session and no key, and a deleted bot has no key. */
export function erasedIsUnreadable({ evidence }) {
  const problems = [];
  const erased = evidence.events('identity').filter(({ event }) => event.type === 'UserErased');
  const users = evidence.rows('identity', 'users', 'users');
  const sessions = [...evidence.rows('identity', 'sessions', 'sessions').values()];
  for (const { commit } of erased) {
    const id = commit.stream.slice('user-'.length);
    if (users.has(id)) problems.push(`user ${id} is erased, and has a row`);
    if (sessions.some(({ user_id }) => user_id === id)) problems.push(`user ${id} is erased, and has a session`);
    for (const { shredded, wrapped } of evidence.all('identity', KEY, `user:${id}`))
      if (shredded === 0 || wrapped.some((byte) => byte !== 0)) problems.push(`user ${id} is erased, and the key is there`);
  }
  for (const { event, commit } of evidence.events('bots').filter((each) => each.event.type.startsWith('BotDeleted'))) {
    const [key] = evidence.all('bots', KEY, `bot:${idOf(commit.stream)}`);
    if (key?.shredded !== 1 || key.wrapped.some((byte) => byte !== 0))
      problems.push(`${commit.stream} had ${event.type}, and its key is there`);
  }
  return problems;
}

const KEY = 'SELECT shredded, wrapped FROM subject_keys WHERE id = ?';

export function refusalsAreOnRecord({ ledger, evidence }) {
  const counts = new Map();
  for (const service of services)
    for (const { metadata } of evidence.all(service, REFUSALS)) {
      const { requestId } = JSON.parse(metadata);
      counts.set(requestId, (counts.get(requestId) ?? 0) + 1);
    }
  const problems = [...counts].filter(([, count]) => count > 1).map(([id, count]) => `the refusal of ${id} is on record ${count} times`);
  for (const id of ledger.refused) if (!counts.has(id)) problems.push(`request ${id} was refused, and there is no record of it`);
  return problems;
}

const REFUSALS = "SELECT metadata FROM commits WHERE stream >= 'refusal-' AND stream < 'refusal.'";
