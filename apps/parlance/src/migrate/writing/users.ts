import type { ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';
import type { Entry } from '../ledger.ts';
import { userIdOf } from '../mapping/ids.ts';
import type { SourceUser } from '../source/users.ts';
import { withPatience } from './product.ts';

/** IDs of accounts by IDs of the source. */
export type Accounts = ReadonlyMap<string, string>;

/** These groups affect other users, so an account needs a verified address for them. */
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
  const wanted = new Set([...groups, ...users.flatMap((user) => user.groups)]);
  if (calls && wanted.size > 0)
    for (const name of wanted)
      await withPatience(() => calls.post('identity', '/internal/imports/groups', { groups: [{ name }] })).catch(bad);
  for (let from = 0; from < users.length; from += AT_ONCE)
    await Promise.all(users.slice(from, from + AT_ONCE).map((user) => take(user, calls, accounts, report)));
  return accounts;
}

/** A group whose name is not allowed here is left out of the lists that name it. */
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
  const left = user.isVerified ? [] : user.groups.filter((group) => FOR_VERIFIED.has(group));
  if (left.length > 0) leave({ ...at, reason: 'group_needs_verified_email', detail: left.join(', '), partly: true });
  const user_id = userIdOf(user.id);
  accounts.set(user.id, user_id);
  if (!calls) return;
  const [result] = await resultsOf(calls, {
    user_id,
    email: user.email,
    first_name: user.firstName.slice(0, LONGEST_NAME) || user.email.split('@')[0],
    last_name: user.lastName.slice(0, LONGEST_NAME) || '-',
    groups: user.groups.filter((group) => !left.includes(group)),
    enabled: user.enabled,
  });
  if (result?.status !== 'refused') return void accounts.set(user.id, result?.user_id ?? user_id);
  accounts.delete(user.id);
  leave({ ...at, reason: result.code, detail: result.detail });
}

/** Retries one by one: one invalid address must not refuse the others. */
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
