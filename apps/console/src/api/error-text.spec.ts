import { ParlanceError } from '@parlance/client';
import { formatTime } from '../messages/format.ts';
import { errorText } from './error-text.ts';

describe('a budget that is used up', () => {
  const resetsAt = 1_796_083_200;
  const starts = `It starts again on ${formatTime(resetsAt)}.`;
  const text = (scope: 'all' | 'user' | 'group' | 'bot' | 'key', group: string | null = null) =>
    errorText(
      new ParlanceError('budget_exceeded', 'At 2026-12-01T00:00:00.000Z.', { resetsAt, budget: { scope, group, period: 'MONTH' } }),
    );

  it("is the user's own", () => expect(text('user')).toBe(`Too little is left of your monthly budget. ${starts}`));
  it('belongs to a group or others', () => {
    expect(text('group', 'Sales')).toBe(`Too little is left of the monthly budget of Sales. ${starts}`);
    expect(text('all')).toBe(`Too little is left of the monthly budget of all users. ${starts}`);
    expect(text('bot')).toBe(`Too little is left of the monthly budget of this bot. ${starts}`);
  });
  it('of an older server has the text of the server', () =>
    expect(errorText(new ParlanceError('budget_exceeded', 'At 2026.'))).toBe('At 2026.'));
});
