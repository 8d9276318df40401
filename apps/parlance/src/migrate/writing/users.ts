import type { ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';
import type { Entry } from '../ledger.ts';
import { userIdOf } from '../mapping/ids.ts';
import type { SourceUser } from '../source/users.ts';
import { withPatience } from './product.ts';

/** The ID of each account, by the user's ID in the source. */
export type Accounts = ReadonlyMap<string, string>;

/** Members of these groups can affect other users, so they need a verified address. */
const FOR_VERIFIED: ReadonlySet<string> = new Set(['Admin', 'PublishAllowed']);
const LONGEST_NAME = 100;
const AT_ONCE = 50;

type Result = { status: 'created' | 'unchanged' | 'matched'; user_id: string } | { status: 'refused'; code: string; detail: string };

interface UserReport {
  readonly leave: (entry: Entry) => void;
  readonly file: string;
}

/** Imports the users and returns their accounts. Without `calls`, returns the accounts that would be created. */
export async function takeUsers(users: readonly SourceUser[], groups: ReadonlySet<string>, calls: ServiceCalls | null, report: UserReport) {
  const accounts = new Map<string, string>();
  const groupNames = new Set([...groups, ...users.flatMap((user) => user.groups)]);
  if (calls && groupNames.size > 0)
    for (const name of groupNames)
      await withPatience(() => calls.post('identity', '/internal/imports/groups', { groups: [{ name }] })).catch(bad);
  for (let from = 0; from < users.length; from += AT_ONCE)
    await Promise.all(users.slice(from, from + AT_ONCE).map((user) => take(user, calls, accounts, report)));
  return accounts;
}

/** A group with an invalid name is left out of all lists. */
function bad(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

async function take(
  user: SourceUser,
  calls: ServiceCalls | null,
  accounts: Map<string, string>,
  { leave, file }: UserReport,
): Promise<void> {
  const at = { kind: 'user', file, line: user.line, id: user.id };
  if (user.id === '' || user.email === '') return leave({ ...at, reason: user.id === '' ? 'user_id_missing' : 'email_missing' });
  if (accounts.has(user.id)) return leave({ ...at, reason: 'duplicate' });
  const unavailable = user.isVerified ? [] : user.groups.filter((group) => FOR_VERIFIED.has(group));
  if (unavailable.length > 0) leave({ ...at, reason: 'group_needs_verified_email', detail: unavailable.join(', '), partly: true });
  const user_id = userIdOf(user.id);
  accounts.set(user.id, user_id);
  if (!calls) return;
  const [result] = await resultsOf(calls, {
    user_id,
    email: user.email,
    first_name: user.firstName.slice(0, LONGEST_NAME) || user.email.split('@')[0],
    last_name: user.lastName.slice(0, LONGEST_NAME) || '-',
    groups: user.groups.filter((group) => !unavailable.includes(group)),
    enabled: user.enabled,
  });
  if (result?.status !== 'refused') return void accounts.set(user.id, result?.user_id ?? user_id);
  accounts.delete(user.id);
  leave({ ...at, reason: result.code, detail: result.detail });
}

/** Retries the users one by one, so that one invalid address does not prevent the import of the others. */
async function resultsOf(calls: ServiceCalls, user: object): Promise<readonly Result[]> {
  try {
    const { results } = await withPatience(() =>
      calls.post<{ results: Result[] }>('identity', '/internal/imports/users', { users: [user] }),
    );
    return results;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [{ status: 'refused', code: error.code, detail: error.message }];
  }
}
