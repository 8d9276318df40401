import type { PromptSummary } from '@parlance/client/types';
import { matchingPrompts } from './matching-prompts.ts';

const prompt = (command: string, title: string) => ({ id: command, command, title }) as PromptSummary;
const prompts = [prompt('weekly-mail', 'Write to the team'), prompt('translate', 'Translate a mail'), prompt('mail', 'Answer')];

describe('the prompts after a /', () => {
  it.each([
    ['', ['weekly-mail', 'translate', 'mail']],
    ['mail', ['mail', 'weekly-mail', 'translate']],
    ['Team', ['weekly-mail']],
    ['none', []],
  ])('match by command and title, the beginnings of commands first: %j', (text, found) =>
    expect(matchingPrompts(prompts, text).map(({ id }) => id)).toEqual(found),
  );
});
