import type { PromptSummary } from '@parlance/client/types';

/** The prompts whose command or title contains the text, those whose command begins with it first. */
export function matchingPrompts(prompts: readonly PromptSummary[], text: string): readonly PromptSummary[] {
  const wanted = text.toLocaleLowerCase();
  return prompts
    .filter(({ command, title }) => command.includes(wanted) || title.toLocaleLowerCase().includes(wanted))
    .toSorted((one, other) => Number(other.command.startsWith(wanted)) - Number(one.command.startsWith(wanted)));
}
