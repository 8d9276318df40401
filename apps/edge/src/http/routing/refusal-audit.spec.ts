import { describe, expect, it, jest } from '@jest/globals';
import { refuse } from '@parlance/decider';
import type { AuditRecorder, RefusedAction } from '@parlance/http';
import { RefusalAudit } from './refusal-audit.ts';

const passwordFirst = refuse('forbidden', 'password_change_required', 'The password must be changed first.');
const deleting = { action: 'delete_bot', resourceType: 'bot', from: 'bot_id' };
const [action, resourceType] = ['delete_bot', 'bot'];

async function recordOf(
  audited: typeof deleting | { action: string; resourceType: string } | null,
  id: string,
  error: Error = passwordFirst,
) {
  const recorded: RefusedAction[] = [];
  const refusals = { record: async (refused: RefusedAction) => void recorded.push(refused) } as Partial<AuditRecorder> as AuditRecorder;
  await new RefusalAudit(refusals).recordRefusedAction({ operation: { audited }, params: { bot_id: id } }, error);
  return recorded;
}

describe('the refusal of an audited action', () => {
  const expected = { action, resourceType, code: 'password_change_required', message: 'The password must be changed first.' };

  it('is recorded with its resource', async () => expect(await recordOf(deleting, 'b1')).toEqual([{ ...expected, resourceId: 'b1' }]));
  it('is recorded without a resource if the path names none', async () =>
    expect(await recordOf({ action, resourceType }, 'b1')).toEqual([{ ...expected, resourceId: null }]));
  it.each(['', 'x'.repeat(129), 'a\nb', '\u0000', '\u0085'])('is recorded without an invalid ID: %j', async (id) =>
    expect(await recordOf(deleting, id)).toEqual([{ ...expected, resourceId: null }]),
  );
  it('is not recorded for actions that are not audited, or for other kinds of refusals', async () => {
    expect(await recordOf(null, 'b1')).toEqual([]);
    expect(await recordOf(deleting, 'b1', refuse('missing', 'no_such_route', 'There is nothing here.'))).toEqual([]);
    expect(await recordOf(deleting, 'b1', new Error('a fault'))).toEqual([]);
  });
});

it('is recorded only a few times a minute for one address', async () => {
  const record = jest.fn(async () => {});
  const audit = new RefusalAudit({ record } as Partial<AuditRecorder> as AuditRecorder);
  for (let index = 0; index < 20; index++) await audit.recordRefusedAddress(passwordFirst);
  expect(record).toHaveBeenCalledTimes(6);
});
