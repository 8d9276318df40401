import type { PromptSummary } from '@parlance/client/types';
import type { RefObject } from 'react';
import { usePromptChoiceMessages } from '../../../../messages/prompt-choice-messages.ts';
import { ChoiceList, ChoiceText } from './choice-list.tsx';
import { useMatchingPrompts } from './use-matching-prompts.ts';

interface Props {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly query: string;
  readonly onChoose: (prompt: PromptSummary) => void;
  readonly onDismiss: () => void;
}

/** The prompts that match the command in the message field. */
export function PromptList({ query, ...props }: Props) {
  const texts = usePromptChoiceMessages();
  const { prompts, isSearching, hasAny } = useMatchingPrompts(query);
  const status = prompts.length > 0 ? texts.found(prompts.length) : isSearching ? texts.searching : hasAny ? texts.noMatch : texts.none;
  return (
    <ChoiceList {...props} query={query} items={prompts} isSearching={isSearching} label={texts.listLabel} status={status}>
      {({ title, command, description }) => (
        <>
          <ChoiceText name={title} description={description} />
          <code className="max-w-1/3 shrink-0 truncate text-xs text-muted">/{command}</code>
        </>
      )}
    </ChoiceList>
  );
}
