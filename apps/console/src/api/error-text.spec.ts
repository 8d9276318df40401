import { ParlanceError } from '@parlance/client';
import { formatTime } from '../messages/format.ts';
import { errorText } from './error-text.ts';

describe('refused fields', () => {
  const refused = (path: string, message: string) =>
    errorText(new ParlanceError('invalid_body', `The field ${path} ${message}.`, { status: 400, errors: [{ path, message }] }));

  it('are named with the sentences of the console', () =>
    expect(refused('sql', 'must be a text of 1 to 20000 characters')).toBe('sql: Enter 1 to 20,000 characters.'));
  it('have the text of the server if the whole body is refused', () => expect(refused('', 'is too deep')).toBe('The field  is too deep.'));
});
describe('a budget that is used up', () => {
  const resetsAt = 1_796_083_200;
  const starts = `It starts again on ${formatTime(resetsAt)}.`;
  const text = (scope: 'all' | 'user' | 'group' | 'bot' | 'key', group: string | null = null) =>
    errorText(
      new ParlanceError('budget_exceeded', 'At 2026-12-01T00:00:00.000Z.', { resetsAt, budget: { scope, group, period: 'MONTH' } }),
    );

  it("is the user's own", () => expect(text('user')).toBe(`Too little is left of your monthly budget. ${starts}`));
  it('belongs to a group or others', () => {
    expect(text('group', 'Sales')).toBe(`Too little is left of the monthly budget of the group Sales. ${starts}`);
    expect(text('all')).toBe(`Too little is left of the monthly budget of all users. ${starts}`);
    expect(text('bot')).toBe(`Too little is left of the monthly budget of this bot. ${starts}`);
  });
  it('of an older server has the text of the server', () =>
    expect(errorText(new ParlanceError('budget_exceeded', 'At 2026.'))).toBe('At 2026.'));
});
